"""Python's modules and calls by what they do."""

from __future__ import annotations

import re
from typing import Final

NETWORK_MODULES: Final = frozenset({
    "requests", "httpx", "aiohttp", "urllib3", "urllib.request", "urllib2", "http.client", "http.server", "httplib",
    "httplib2", "socketserver", "ftplib", "smtplib", "imaplib", "poplib", "telnetlib", "nntplib", "xmlrpc.client",
    "xmlrpc.server", "websocket", "websockets", "paramiko", "fabric", "asyncssh", "pycurl", "boto3", "botocore",
    "aioboto3", "googleapiclient", "google.generativeai", "google.genai", "openai", "anthropic", "cohere",
    "mistralai", "groq", "litellm", "replicate", "ollama", "slack_sdk", "tweepy", "praw", "github", "gitlab",
    "playwright", "selenium", "scrapy", "feedparser", "yt_dlp", "youtube_dl", "pytube", "youtube_transcript_api",
    "yfinance", "akshare", "tushare", "ccxt", "web3", "kubernetes", "redis", "pymongo", "psycopg2", "psycopg",
    "asyncpg", "pymysql", "huggingface_hub", "gradio_client", "notion_client", "stripe", "twilio", "sendgrid",
    "telegram", "telethon", "discord", "grpc", "dns.resolver", "whois", "netmiko", "pysftp", "zmq", "pika", "kafka",
    "nats", "cloudscraper", "curl_cffi", "tls_client", "mechanize", "requests_html", "requests_oauthlib",
    "elasticsearch", "opensearchpy", "supabase", "firebase_admin", "pyngrok", "duckduckgo_search", "ddgs", "arxiv",
    "wikipedia", "tavily", "firecrawl", "exa_py", "apify_client", "azure.storage.blob", "google.cloud",
    "snowflake.connector", "Bio.Entrez", "jira", "atlassian", "pyrogram", "crawl4ai", "browser_use", "gspread",
    "simple_salesforce", "pytrends", "edge_tts", "gtts", "wget", "mcp.client", "composio", "elevenlabs", "newspaper",
    "trafilatura.fetch_url", "geopy", "pyppeteer", "fal_client",
})  # fmt: skip
SOCKETS: Final = frozenset({
    "socket.socket", "socket.create_connection", "socket.create_server", "socket.gethostbyname", "socket.getaddrinfo",
    "socket.socketpair", "socket.fromfd", "urllib.request.urlopen", "urllib.request.urlretrieve",
})  # fmt: skip
NETWORK_CALLS: Final = frozenset({
    "asyncio.open_connection", "asyncio.start_server", "asyncio.open_unix_connection", "torch.hub.load",
    "nltk.download", "ssl.get_server_certificate", "datasets.load_dataset", "webdriver.Chrome",
    "sklearn.datasets.fetch_openml", "pip.main",
})  # fmt: skip
RUNS: Final = frozenset({
    "os.system", "os.popen", "subprocess.run", "subprocess.call", "subprocess.check_call", "subprocess.check_output",
    "subprocess.Popen", "subprocess.getoutput", "subprocess.getstatusoutput", "asyncio.create_subprocess_exec",
    "asyncio.create_subprocess_shell", "pty.spawn", "os.execv", "os.execvp", "os.execve", "os.execvpe", "os.execl",
    "os.execlp", "os.spawnl", "os.spawnlp", "os.spawnv", "os.spawnvp", "commands.getoutput", "os.posix_spawn",
    "os.startfile",
})  # fmt: skip
SPREAD: Final = frozenset({"asyncio.create_subprocess_exec", "os.execl", "os.execlp", "os.spawnl", "os.spawnlp"})
"""Those whose command stands as separate arguments."""

WRITES: Final[dict[str, tuple[int, ...]]] = {
    **dict.fromkeys(
        ("os.remove", "os.unlink", "os.rmdir", "os.removedirs", "os.mkdir", "os.makedirs", "os.truncate", "os.mkfifo"),
        (0,),
    ),
    **dict.fromkeys(("os.rename", "os.replace", "os.renames", "shutil.move"), (0, 1)),
    **dict.fromkeys(
        ("os.symlink", "os.link", "shutil.copy", "shutil.copy2", "shutil.copyfile", "shutil.copytree"), (1,)
    ),
    **dict.fromkeys(
        (
            "shutil.rmtree",
            "shutil.make_archive",
            "numpy.save",
            "numpy.savez",
            "numpy.savetxt",
            "numpy.savez_compressed",
        ),
        (0,),
    ),
    **dict.fromkeys(
        ("cv2.imwrite", "imageio.imwrite", "imageio.mimsave", "logging.FileHandler", "soundfile.write"), (0,)
    ),
    **dict.fromkeys(("logging.handlers.RotatingFileHandler", "matplotlib.pyplot.savefig", "joblib.dump"), (0,)),
    **dict.fromkeys(
        ("shutil.unpack_archive", "urllib.request.urlretrieve", "torch.save", "distutils.dir_util.copy_tree"), (1,)
    ),
}
"""Functions that write or delete, and which arguments are the paths."""
DELETES: Final = frozenset({"os.remove", "os.unlink", "os.rmdir", "os.removedirs", "shutil.rmtree"})
OPENERS: Final = frozenset({
    "open", "io.open", "codecs.open", "gzip.open", "bz2.open", "lzma.open", "builtins.open", "aiofiles.open",
    "zipfile.ZipFile", "tarfile.open", "gzip.GzipFile", "io.FileIO", "tarfile.TarFile",
})  # fmt: skip
RECEIVER_WRITES: Final = frozenset(
    {"write_text", "write_bytes", "touch", "mkdir", "unlink", "rmdir", "symlink_to", "hardlink_to"}
)
"""Methods of a path that write it or delete it."""
ARGUMENT_WRITES: Final = frozenset({
    "to_csv", "to_excel", "to_json", "to_parquet", "to_pickle", "to_html", "to_feather", "savefig", "save",
    "write_html", "write_image", "extractall", "to_file", "write_csv", "write_parquet", "dump_stats",
    "save_pretrained", "tofile",
})  # fmt: skip
"""Methods that write to the path of their first argument."""
RECEIVER_READS: Final = frozenset({"read_text", "read_bytes", "iterdir", "glob", "rglob"})
ARGUMENT_READS: Final[dict[str, int]] = dict.fromkeys(
    ("os.listdir", "os.walk", "os.scandir", "shutil.copy", "shutil.copy2", "shutil.copyfile", "shutil.copytree",
     "sqlite3.connect", "shutil.make_archive", "glob.glob", "json.load", "dotenv.load_dotenv", "dotenv.dotenv_values",
     "configparser.ConfigParser.read"), 0,
)  # fmt: skip
DECODERS: Final = re.compile(
    r"base64\.(?:\w*b(?:16|32|64|85)decode|a85decode|decodebytes|b64decode)|binascii\.(?:unhexlify|a2b_\w+)|bytes\.fromhex|bytearray\.fromhex"
    r"|codecs\.decode|(?:zlib|gzip|bz2|lzma)\.decompress|marshal\.loads"
)
_BY_ROOT: Final = frozenset(name for name in NETWORK_MODULES if "." not in name)


def network_module(name: str) -> str | None:
    """Return the network module that a dotted name lies in, None where it lies in none."""
    parts = name.split(".")
    if parts[0] in _BY_ROOT:
        return parts[0]
    for count in (2, 3):
        prefix = ".".join(parts[:count])
        if prefix in NETWORK_MODULES:
            return prefix
    return None
