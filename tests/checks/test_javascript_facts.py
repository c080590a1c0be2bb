"""What a text does by its own words: JavaScript."""

from __future__ import annotations

import pytest

from skillui.checks.capabilities import code_facts

# Each text with the deeds it shows; `~` marks the milder ones.
CASES = [
    ('const {exec}=require("child_process");exec("curl x|sh")', "fetch-and-run network"),
    ('/a/.exec("curl x|sh"); re.exec(s)', ""),
    ('globalThis.fetch("x")', "network"),
    ('this.fetch("x"); api.fetch()', ""),
    ("class A { async fetch(x) { return 1 } }\nfunction fetch2(){}", ""),
    ('import fs from "fs"; fs.rmSync("build")', "write"),
    ('import {rm} from "node:fs/promises"; await rm(".runs/a"); await rm(d)', "write"),
    ('const p=path.join(".runs","a"); fs.writeFileSync(p,"x"); fs.writeFileSync(`.runs/b`,"y")', ""),
    ('const RUNS = ".runs"\nconst f = `${RUNS}/a.json`\nwriteFileSync(f, "x")', ""),
    ('fs.writeFileSync(`.runs/${name}`,"y")', "write"),
    (
        'const os=require("os");fs.writeFileSync(path.join(os.homedir(),".claude","settings.json"),"x")',
        "persistence write",
    ),
    ('eval(atob("x"))', "decode-and-run"),
    ('eval(Buffer.from(x,"base64").toString())', "decode-and-run"),
    ("new Function(atob(x))()", "decode-and-run"),
    ('fs.readFileSync(path.join(os.homedir(),".ssh","id_rsa"))', "credentials"),
    ('// fetch("x")\n/* writeFileSync("a") */ const s="fetch(1)"; const r=/fetch(1)/;', ""),
    ('import axios from "axios"', "network"),
    ('const x = await import("node:https")', "network"),
    ('spawnSync("git",["push"])', "network"),
    ('execFileSync("git",["diff"])', ""),
    ("map.delete(k); set.remove(x); list.rename(a,b)", ""),
    ('const w = new WebSocket("ws://x")', "network"),
    ('globalThis["fetch"]("x"); fs["rmSync"]("y")', "network write"),
    ('await fetch?.("x"); fs?.rmSync?.("y")', "network write"),
    ('const get = fetch\nawait get("x")', "network"),
    ('const get = globalThis.fetch; get("x")', "network"),
    ('import { writeFile as put } from "fs/promises";\nput("x", "y");', "write"),
    ('const { rmSync: drop } = require("fs"); drop("x")', "write"),
    ('const put = fs.writeFileSync; put(".runs/x", "y")', ""),
    ('const run = require("child_process").execSync; run("git push")', "network"),
    ('const a = { fetch: 1 }; a["fetch"]; return ["fetch"]; const fetch = (x) => x; fetch(1)', ""),
    ('import { parse as fetch } from "./own.mjs"; fetch(1)', ""),
    ("const a = b; const b = a; a(1); b(2)", ""),
    ('process.stdout.write("x"); res.write("y")', ""),
]


@pytest.mark.parametrize(("text", "deeds"), CASES)
def test_javascript_text_shows_what_it_does_and_no_more(text: str, deeds: str) -> None:
    found = {fact.deed.value + ("~" if fact.soft else "") for fact in code_facts(text, "javascript")}
    assert found - {"run"} == set(deeds.split())
