"""The shapes of credentials, told apart from placeholders, and their masking."""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice
from typing import Final


@dataclass(frozen=True, slots=True)
class Credential:
    """One credential in a text, by character offsets."""

    what: str
    start: int
    end: int
    soft: bool = False
    """Whether it may well be an example: what a token is for cannot be told from its shape."""


_SHAPES: Final = (
    ("an AWS access key id", r"(?:AKIA|ASIA|ABIA|ACCA)[A-Z2-7]{16}|AKIA[A-Z0-9]{16}", 4),
    ("a GitHub token", r"gh[pousr]_[A-Za-z0-9]{36,251}", 4),
    ("a GitHub token", r"github_pat_[A-Za-z0-9]{22}_[A-Za-z0-9]{59}", 11),
    ("a GitLab token", r"glpat-[A-Za-z0-9_-]{20,64}", 6),
    (
        "a Slack token",
        r"xox[abposr]-(?:\d{1,14}-){1,3}[A-Za-z0-9-]{10,80}|xapp-\d-[A-Z0-9]{8,14}-\d{8,14}-[a-f0-9]{60,70}",
        5,
    ),
    ("a Slack webhook", r"https://hooks\.slack\.com/services/T[A-Z0-9]{7,12}/B[A-Z0-9]{7,12}/[A-Za-z0-9]{24}", 34),
    ("an Anthropic key", r"sk-ant-[a-z0-9]{3,8}-[A-Za-z0-9_-]{40,200}", 7),
    ("an OpenAI key", r"sk-(?:proj|svcacct|admin|None)-[A-Za-z0-9_-]{40,200}|sk-[A-Za-z0-9]{48}", 3),
    ("an OpenRouter key", r"sk-or-v1-[a-f0-9]{64}", 9),
    ("a Stripe key", r"(?:sk|rk)_live_[A-Za-z0-9]{20,120}", 8),
    ("a Google API key", r"AIza[A-Za-z0-9_-]{35}", 4),
    ("a Google OAuth token", r"ya29\.[A-Za-z0-9_-]{50,250}", 5),
    ("an npm token", r"npm_[A-Za-z0-9]{36}", 4),
    ("a PyPI token", r"pypi-AgEIcHlwaS5vcmc[A-Za-z0-9_-]{50,250}", 10),
    ("a Hugging Face token", r"hf_[A-Za-z]{34}", 3),
    ("a SendGrid key", r"SG\.[A-Za-z0-9_-]{22}\.[A-Za-z0-9_-]{43}", 3),
    ("a DigitalOcean token", r"do[opr]_v1_[a-f0-9]{64}", 7),
    ("a Telegram bot token", r"\d{8,10}:AA[A-Za-z0-9_-]{33}", 0),
    ("a Databricks token", r"dapi[a-f0-9]{32}", 4),
    ("a Shopify token", r"shp(?:at|ca|pa|ss)_[a-fA-F0-9]{32}", 6),
    ("a signed web token", r"eyJ[A-Za-z0-9_-]{15,500}\.eyJ[A-Za-z0-9_-]{15,1000}\.[A-Za-z0-9_-]{40,700}", 3),
)
_KINDS: Final = {f"k{index}": (what, prefix) for index, (what, _, prefix) in enumerate(_SHAPES)}
_TOKEN: Final = re.compile(
    r"(?<![A-Za-z0-9_])(?:"
    + "|".join(f"(?P<k{index}>{shape})" for index, (_, shape, _) in enumerate(_SHAPES))
    + r")(?![A-Za-z0-9])"
)
# Plain searches say whether the dear pattern is worth its while.
_HINTS: Final = (
    "AKIA", "ASIA", "ABIA", "ACCA", "ghp_", "gho_", "ghu_", "ghs_", "ghr_", "github_pat_", "glpat-", "xox",
    "xapp-", "hooks.slack", "sk-", "k_live_", "AIza", "ya29.", "npm_", "pypi-", "hf_", "SG.", "_v1_", ":AA",
    "dapi", "shpat_", "shpca_", "shppa_", "shpss_", "eyJ",
)  # fmt: skip


def _hinted(text: str) -> bool:
    return any(hint in text for hint in _HINTS)


_KEY: Final = re.compile(r"-----BEGIN (?P<kind>(?:[A-Z0-9]{1,12} ){0,3}?PRIVATE KEY(?: BLOCK)?)-----")
_BASE64: Final = re.compile(r"[A-Za-z0-9+/=]{16,}")
_PLACEHOLDER: Final = re.compile(
    r"example|placeholder|your|dummy|fake|sample|redacted|change_?me|replace|secret_?here|insert|todo|invalid|"
    r"x{4}|0{6}|1{6}|\*{3}|\.{3}|_here\b|token_?here|key_?here|test_?(?:key|token)|deadbeef|(?:abc){2}|(?:123){2}",
    re.IGNORECASE,
)
_SEQUENCES: Final = ("abcdefghij", "1234567", "qwertyu", "0123456", "zyxwvut")
# The signed web token that the format's own documentation shows.
_FAMOUS: Final = ("SflKxwRJSMeKKF2QT4fwpMeJf36POk6yJV_adQssw5c", "TJVA95OrM7E2cBab30RMHrHDcEfxjoYZgeFONFh7HgQ")


def credentials(text: str) -> Iterator[Credential]:
    """Yield the credentials of a text: first private keys, then tokens. Linear in the text's length."""
    if "PRIVATE KEY" in text:
        for match in islice(_KEY.finditer(text), 2_000):
            if _has_body(text, match.end()):
                yield Credential("a private key", match.start(), match.end())
    if _hinted(text):
        for match in islice(_TOKEN.finditer(text), 20_000):
            what, prefix = _KINDS[match.lastgroup or "k0"]
            if not _is_placeholder(match[0], prefix):
                soft = what == "a signed web token"
                yield Credential(what, match.start(), match.end(), soft)


def masked(text: str) -> str:
    """Return a text with every credential in it cut down to its first letters."""
    parts: list[str] = []
    at = 0
    for match in _TOKEN.finditer(text) if _hinted(text) else ():
        _, prefix = _KINDS[match.lastgroup or "k0"]
        parts += [text[at : match.start()], mask(match[0], prefix)]
        at = match.end()
    return "".join(parts) + text[at:]


def mask(token: str, prefix: int = 4) -> str:
    """Return the public first letters of a token, and how long it is."""
    return f"{token[: min(prefix, 11)]}… ({len(token)} characters)"


def shown(text: str, found: Credential) -> str:
    """Return what a message may show of a credential."""
    if found.what == "a private key":
        return text[found.start : found.end]
    match = _TOKEN.match(text, found.start)
    prefix = _KINDS[match.lastgroup or "k0"][1] if match else 4
    return mask(text[found.start : found.end], prefix)


def _has_body(text: str, at: int) -> bool:
    """Tell whether a key's first mark is followed by what a key is made of."""
    window = text[at : at + 4_000]
    end = window.find("-----END")
    body = window[: end if end >= 0 else len(window)].replace("\\n", "\n")
    material = "".join(_BASE64.findall(body))
    return len(material) >= 64 and len(set(material)) > 12 and "..." not in body and "…" not in body


def _is_placeholder(token: str, prefix: int) -> bool:
    rest = token[prefix:]
    lower = rest.lower()
    if _PLACEHOLDER.search(rest) or any(run in lower for run in _SEQUENCES) or token.endswith(_FAMOUS):
        return True
    return _entropy(rest) < 2.8


def _entropy(text: str) -> float:
    """Return the bits that one character of a text carries."""
    return -sum(count / len(text) * math.log2(count / len(text)) for count in Counter(text).values()) if text else 0.0
