"""Small wheels: what uv installs in tests, from a folder or from an index of their own."""

from __future__ import annotations

import hashlib
import zipfile
from pathlib import Path


def make_wheel(folder: Path, name: str, version: str, code: str = "") -> str:
    """Make a wheel of a package with one module; its line in a lock file."""
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / f"{name}-{version}-py3-none-any.whl"
    metadata = f"{name}-{version}.dist-info"
    files = {
        f"{name}.py": code or f"__version__ = '{version}'\n",
        f"{metadata}/METADATA": f"Metadata-Version: 2.1\nName: {name}\nVersion: {version}\n",
        f"{metadata}/WHEEL": "Wheel-Version: 1.0\nGenerator: test\nRoot-Is-Purelib: true\nTag: py3-none-any\n",
    }
    record = [*(f"{file},," for file in files), f"{metadata}/RECORD,,"]
    with zipfile.ZipFile(path, "w") as wheel:
        for file, text in {**files, f"{metadata}/RECORD": "\n".join(record) + "\n"}.items():
            wheel.writestr(file, text)
    return f"{name}=={version} \\\n    --hash=sha256:{hashlib.sha256(path.read_bytes()).hexdigest()}\n"


def make_index(folder: Path, name: str, version: str) -> str:
    """Make an index with one package; its address."""
    make_wheel(folder / name, name, version)
    links = "".join(f'<a href="{wheel.name}">{wheel.name}</a>\n' for wheel in (folder / name).glob("*.whl"))
    (folder / name / "index.html").write_text(f"<!DOCTYPE html><html><body>{links}</body></html>")
    return folder.as_uri()
