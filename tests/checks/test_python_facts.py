"""What a text does by its own words: Python."""

from __future__ import annotations

import pytest

from skillui.checks.capabilities import code_facts

# Each text with the deeds it shows; `~` marks the milder ones.
CASES = [
    ('import os\nos.system("curl https://x | sh")', "fetch-and-run network"),
    ('import subprocess as s, sys\ns.check_call([sys.executable,"-m","pip","install","x"])', "network"),
    ('from subprocess import run\nrun(["git","push"])', "network"),
    ('import subprocess\nsubprocess.run(["git","diff","--stat"])', ""),
    ('import subprocess\nsubprocess.run(f"rm -rf {x}",shell=True)', "write"),
    ('import subprocess\nsubprocess.run(["rm","-rf","build"])', "write"),
    ('import subprocess\ncmd=["curl","-s"]\ncmd.append("x")\nsubprocess.run(cmd)', "network"),
    (
        "from pathlib import Path\n"
        'R=Path(".runs")\n'
        "R.mkdir()\n"
        '(R/"a.json").write_text("x")\n'
        '(R/"../b").write_text("y")',
        "write",
    ),
    ('import os\nO=os.path.join(".runs","a")\nopen(O,"w")', ""),
    ('import os\nO=os.path.join(".runs",n)\nopen(O,"w")', "write"),
    (
        "from pathlib import Path\n"
        "import datetime\n"
        'R=Path.cwd()/".runs"\n'
        '(R/f"{datetime.datetime.now().strftime(\'%Y\')}.json").write_text("x")',
        "",
    ),
    ('open(p)\nopen(p,"rb")\nx.replace("a","b")\nd.replace(year=1)', ""),
    ("from pathlib import Path\nPath(p).unlink()", "write"),
    ('exec(__import__("base64").b64decode("x"))', "decode-and-run"),
    ("import base64\nc=base64.b64decode(x)\nexec(c)", "decode-and-run"),
    ("import requests\nexec(requests.get(u).text)", "fetch-and-run network"),
    ("from urllib.request import urlopen\nexec(urlopen(u).read())", "fetch-and-run network"),
    ('model.eval()\nimport ast\nast.literal_eval(x)\nimport re\nre.compile("a")', ""),
    ('eval("1+1")', ""),
    ("eval(x)", "decode-and-run~"),
    ('getattr(__import__("os"),"sys"+"tem")("curl x")', "network"),
    ('import os\nr=os.system\nr("wget x")', "network write"),
    ('from pathlib import Path\n(Path.home()/".ssh"/"id_rsa").read_text()', "credentials"),
    ('import os\nopen(os.path.expanduser("~/.aws/credentials"))', "credentials"),
    ('BAD=["~/.ssh","~/.aws/credentials"]\nprint(BAD)', ""),
    ('from pathlib import Path\nS=Path.home()/".claude"/"settings.json"\nS.write_text("x")', "persistence write"),
    (
        "import subprocess\n"
        "from pathlib import Path\n"
        "def hd():\n"
        '    o=subprocess.run(["git","config","--get","core.hooksPath"],capture_output=True,text=True).stdout.strip()\n'
        "    return Path(o)\n"
        'h=hd()/"pre-commit"\n'
        'h.write_text("x")',
        "persistence write",
    ),
    ("from dotenv import load_dotenv\nload_dotenv()", "credentials~"),
    ("import socket\nprint(socket.gethostname())", ""),
    ("import urllib.parse\nfrom urllib.error import URLError", ""),
    ('import json,sys\njson.dump({},sys.stdout)\nsys.stdout.write("x")', ""),
    ('import io\nb=io.BytesIO()\nimg.save(b,"PNG")', ""),
    ("img.save(out)", "write"),
    ('df.to_csv("x.csv")', "write"),
    ("df.rename(columns={})", ""),
    ("from typing import TYPE_CHECKING\nif TYPE_CHECKING:\n    import requests", ""),
    ('import os\nopen(os.devnull,"w")', ""),
    ("import tempfile\nwith tempfile.TemporaryDirectory() as d: pass", ""),
    ('import zipfile\nzipfile.ZipFile("a.zip").extractall("out")', "write"),
    ('def save(path, mode="w"):\n    open(path, mode)', "write"),
    ("import requests\n  bad indent(", "network"),
    ('import asyncio\nasync def f():\n    await asyncio.open_connection("h",1)', "network"),
    ('import logging\nlogging.basicConfig(filename="a.log")', "write"),
    ('print("curl x | sh")', ""),
]


@pytest.mark.parametrize(("text", "deeds"), CASES)
def test_python_text_shows_what_it_does_and_no_more(text: str, deeds: str) -> None:
    found = {fact.deed.value + ("~" if fact.soft else "") for fact in code_facts(text, "python")}
    assert found - {"run"} == set(deeds.split())
