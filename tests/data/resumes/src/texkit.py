# The functions of docxkit.py for the same scripts, but LaTeX comes out: python texkit.py e01-embedded.py out.tex
import runpy, sys
def esc(t):
    for a, b in (("&", r"\&"), ("%", r"\%"), ("#", r"\#"), ("_", r"\_"), ("·", r"\textperiodcentered{}"), ("|", r"\textbar{}"), ("µ", r"\textmu{}")):
        t = t.replace(a, b)
    return t
class Run:
    def __init__(s, t): s.t = t; s.bold = False
    def tex(s): return (r"\textbf{%s}" if s.bold else "%s") % esc(s.t)
class Par:
    def __init__(s): s.parts = []
    def add_run(s, t): s.parts.append(Run(t)); return s.parts[-1]
    def tex(s): return "".join(r.tex() for r in s.parts) + r"\par"
HEAD = r"\documentclass[10pt,a4paper]{article}\usepackage[T1]{fontenc}\usepackage[utf8]{inputenc}\usepackage{lmodern}\usepackage{textcomp}\usepackage[margin=2cm]{geometry}\usepackage[hidelinks]{hyperref}\pagestyle{empty}\setlength{\parindent}{0pt}\setlength{\parskip}{1.5pt}\input{glyphtounicode}\pdfgentounicode=1"
class Doc:
    def __init__(s, sans): s.body = []; s.sans = sans
    def add_paragraph(s): s.body.append(Par()); return s.body[-1]
    def save(s, path):
        head = HEAD + (r"\renewcommand{\familydefault}{\sfdefault}" if s.sans else "")
        open(path, "w").write(head + "\n\\begin{document}\n" + "\n\n".join(x if isinstance(x, str) else x.tex() for x in s.body) + "\n\\end{document}\n")
def document(font, size): return Doc("Sans" in font)
def line(doc, text, bold=False, italic=False, size=None, centre=False, before=0):
    t = esc(text)
    if bold: t = r"\textbf{%s}" % t
    if italic: t = r"\textit{%s}" % t
    if size: t = (r"{\LARGE %s}" if size > 14 else r"{\large %s}") % t
    doc.body.append((r"\vspace{%gpt}" % before if before else "") + (r"{\centering %s\par}" if centre else r"%s\par") % t)
def left_right(doc, left, right, bold=True, before=6):
    doc.body.append(r"\vspace{%gpt}%s\hfill %s\par" % (before, (r"\textbf{%s}" if bold else "%s") % esc(left), esc(right)))
def labelled(doc, label, text): doc.body.append(r"\textbf{%s:} %s\par" % (esc(label), esc(text)))
def bullets(doc, *texts): doc.body.append("\\begin{itemize}\\setlength{\\itemsep}{0pt}\\setlength{\\parskip}{0pt}\n" + "".join("\\item " + esc(t) + "\n" for t in texts) + "\\end{itemize}")
if __name__ == "__main__":
    sys.modules["docxkit"] = sys.modules["__main__"]; script = sys.argv.pop(1); runpy.run_path(script)
