"""What PowerShell text does, by its lines: the few forms that matter."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from skillui.checks.facts import Deed, Fact

_FETCH: Final = r"(?:iwr|irm|curl|wget|Invoke-WebRequest|Invoke-RestMethod|DownloadString|DownloadData)\b"
_FORMS: Final = (
    (Deed.FETCH_AND_RUN, rf"{_FETCH}[^\n#]{{0,300}}\|\s{{0,4}}(?:iex|Invoke-Expression)\b", "runs what it fetches"),
    (Deed.FETCH_AND_RUN, rf"(?:\biex|Invoke-Expression)\b[^\n#]{{0,100}}?{_FETCH}", "runs what it fetches"),
    (
        Deed.DECODE_AND_RUN,
        r"\b(?:powershell|pwsh)(?:\.exe)?\b[^\n]{0,100}\s-e(?:nc|ncodedcommand)?\s+[\w+/=]{16}",
        "runs what it decodes",
    ),
    (Deed.DECODE_AND_RUN, r"(?:\biex|Invoke-Expression)\b[^\n]{0,200}FromBase64String", "runs what it decodes"),
    (
        Deed.PERSISTENCE,
        r"(?:>>?|Add-Content|Set-Content|Out-File)[^\n]{0,80}\$PROFILE",
        "changes a shell's start-up file ($PROFILE)",
    ),
    (
        Deed.PERSISTENCE,
        r"\b(?:schtasks(?:\.exe)?\s+/create|Register-ScheduledTask)\b",
        "changes what starts by itself (scheduled task)",
    ),
    (
        Deed.PERSISTENCE,
        r"(?:reg\s+add|Set-ItemProperty|New-ItemProperty)[^\n]{0,120}\\Run\b",
        "changes what starts by itself (registry)",
    ),
    (
        Deed.CREDENTIALS,
        r"(?:Get-Content|gc|type|cat|Copy-Item)\s[^\n]{0,80}(?:\.ssh[/\\]id_|\.aws[/\\]credentials)",
        "reads a credential store",
    ),
    (
        Deed.NETWORK,
        r"\b(?:Invoke-WebRequest|Invoke-RestMethod|iwr|irm|Net\.WebClient|Start-BitsTransfer|curl|wget)\b",
        "uses the network",
    ),
)
_PATTERNS: Final = tuple((deed, re.compile(pattern, re.IGNORECASE), what) for deed, pattern, what in _FORMS)


def powershell_facts(text: str) -> Iterator[Fact]:
    """Yield what single lines show; comments are passed over."""
    for number, line in enumerate(text.split("\n")[:20_000], 1):
        code = line[:2_000]
        if code.lstrip().startswith(("#", "REM ", "rem ", "::")):
            continue
        for deed, pattern, what in _PATTERNS:
            if match := pattern.search(code):
                yield Fact(deed, what, number, match.start() + 1)
