#!/bin/sh
# Makes the ten again. Needs a venv with typst, weasyprint, reportlab, python-docx; and soffice, pdflatex, chromium of Debian.
set -e
cd "$(dirname "$0")"; out=${1:-..}; py=${PY:-python}; tmp=$(mktemp -d)
$py -c "import sys, typst; typst.compile(sys.argv[1], output=sys.argv[2])" c01-platform.typ "$out/c01-platform.pdf"
$py c02-embedded.py "$tmp/c02-embedded.docx"
soffice --headless -env:UserInstallation=file://"$tmp"/lo --convert-to pdf --outdir "$out" "$tmp/c02-embedded.docx" >/dev/null
chromium --headless --no-sandbox --disable-gpu --user-data-dir="$tmp/chromium" --no-pdf-header-footer --print-to-pdf="$out/c03-analyst.pdf" "file://$PWD/c03-analyst.html" 2>/dev/null
pdflatex -interaction=nonstopmode -output-directory "$tmp" c04-academic.tex >"$tmp/tex.log"; cp "$tmp/c04-academic.pdf" "$out/"
$py c05-operations.py "$out/c05-operations.docx"
$py -m weasyprint c08-junior.html "$out/c08-junior.pdf"
$py c09-infrastructure.py "$out/c09-infrastructure.pdf"
$py c10-java.py "$out/c10-java.docx"
rm -r "$tmp"
