import sys
from docxkit import *
d = document("Liberation Serif", 11)
line(d, "CASSIUS PROBANDO", bold=True, size=17)
line(d, "Edinburgh, Scotland · cassius@probando.example · 07700 900 388")
h = lambda t: line(d, t.upper(), bold=True, size=11.5, before=9)
h("Summary")
line(d, "Product security engineer. Ten years in security, the last six of them beside the developers: I came from penetration testing and moved to where things get fixed.")
h("Professional experience")
line(d, "Senior Product Security Engineer", bold=True, before=5)
line(d, "Adatum Health Cloud, Edinburgh — November 2020 to present", italic=True)
bullets(d,
 "Wrote threat models (STRIDE, data flow diagrams) with 22 teams, and trained a security champion in each of them to do it without me",
 "Rolled out Semgrep and CodeQL in the pull request checks; tuned the rules until developers stopped muting them",
 "Dependency scanning with Dependabot and Snyk, SBOMs in CycloneDX; container images are scanned by Trivy and signed with cosign",
 "Run our bug bounty on HackerOne: 310 reports triaged, median time to fix 9 days",
 "Secrets went from config files to Hashicorp Vault; a pre-commit hook with gitleaks keeps them out of Git",
 "Designed the OAuth2 / OIDC login with KeyCloak; MFA for everyone, WebAuthn for staff",
 "Lead security incident response, with a table-top exercise every quarter; evidence for the SOC 2 and ISO 27001 audits")
line(d, "Security Engineer", bold=True, before=5)
line(d, "Trey Research Cloud Services, Glasgow — March 2018 to October 2020", italic=True)
bullets(d,
 "Hardening of 40 AWS accounts: least privilege in IAM, GuardDuty, Security Hub; CIS benchmark from 54 % to 93 %",
 "Detection engineering in Splunk, mapped to MITRE ATT&CK; rules in Sigma, so that we could leave one day",
 "Vulnerability management for 3,000 hosts with Nessus; the worst were patched with Ansible the same night",
 "Automated the phishing mailbox in Python: 200 mails a week down to the 15 that a human must read",
 "Checked Terraform plans with Checkov and tfsec in GitLab-CI")
line(d, "Penetration Tester", bold=True, before=5)
line(d, "Fabrikam Assurance LLP, Leeds — August 2016 to February 2018", italic=True)
bullets(d,
 "Web and mobile pentests for banks and councils: BurpSuite, OWASP ASVS and MASVS, Frida on Android",
 "Internal network tests with nmap, Metasploit and Bloodhound; explained Active Directory attack paths to those who own the budget",
 "Some 90 reports with CVSS scores, presented to the customer's developers",
 "Reverse engineered the firmware of a smart lock in Ghidra; responsible disclosure, one CVE")
h("Open source and talks")
p = d.add_paragraph(); p.add_run("permsieve").bold = True
p.add_run(" – a Rust tool that finds unused AWS permissions in CloudTrail logs; 800 stars")
line(d, "“Threat models people finish”, Security Moot Edinburgh, 2024")
h("Education")
line(d, "MSc Cyber Security, Royal Strathmere University, 2015 – 2016")
line(d, "BSc Mathematics, University of Inverlochan, 2012 – 2015")
h("Certifications")
line(d, "OSCP (2017), CISSP (2021)")
d.save(sys.argv[1])
