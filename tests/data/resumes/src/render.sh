#!/bin/sh
# Makes four tens again (c06, c07, d09, d10, e04, e08, e10, f05 and f09 are their own source). Needs a venv with typst, weasyprint, reportlab, python-docx; and soffice, pdflatex, chromium of Debian.
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
$py -c "import sys, typst; typst.compile(sys.argv[1], output=sys.argv[2])" d01-backend.typ "$out/d01-backend.pdf"
pdflatex -interaction=nonstopmode -output-directory "$tmp" d02-datascientist.tex >"$tmp/tex.log"; cp "$tmp/d02-datascientist.pdf" "$out/"
chromium --headless --no-sandbox --disable-gpu --user-data-dir="$tmp/chromium" --no-pdf-header-footer --print-to-pdf="$out/d03-frontend.pdf" "file://$PWD/d03-frontend.html" 2>/dev/null
$py d04-qa.py "$out/d04-qa.docx"
$py d05-product.py "$tmp/d05-product.docx"
soffice --headless -env:UserInstallation=file://"$tmp"/lo --convert-to pdf --outdir "$out" "$tmp/d05-product.docx" >/dev/null
$py -m weasyprint d06-devops.html "$out/d06-devops.pdf"
$py d07-marketing.py "$out/d07-marketing.docx"
$py d08-nurse.py "$out/d08-nurse.pdf"
for n in e01-embedded e05-security; do
  $py texkit.py $n.py "$tmp/$n.tex"
  (cd "$tmp" && pdflatex -interaction=nonstopmode $n.tex >"$tmp/tex.log"); cp "$tmp/$n.pdf" "$out/"
done
for n in e02-sre e06-ml; do $py -m weasyprint $n.html "$out/$n.pdf"; done
for n in e03-analytics e07-qa e09-manager; do $py $n.py "$out/$n.docx"; done
for n in f01-backend f07-mobile; do $py -c "import sys, typst; typst.compile(sys.argv[1], output=sys.argv[2])" $n.typ "$out/$n.pdf"; done
for n in f02-frontend f10-mechanical; do
  chromium --headless --no-sandbox --disable-gpu --user-data-dir="$tmp/chromium" --no-pdf-header-footer --print-to-pdf="$out/$n.pdf" "file://$PWD/$n.html" 2>/dev/null
done
for n in f03-data-engineer f06-qa; do $py $n.py "$out/$n.docx"; done
$py -m weasyprint f04-ml-engineer.html "$out/f04-ml-engineer.pdf"
$py f08-lead.py "$out/f08-lead.pdf"
rm -r "$tmp"
