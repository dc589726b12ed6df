"""Prints the objects of ``deploy/helm`` as ``helm template`` does; fails where ``helm lint`` would.

Usage: ``.venv-deploy/bin/python deploy/render-chart.py [VALUES_FILE]``.
"""

import sys
from pathlib import Path

import helm_python as helm

CHART = Path(__file__).parent / "helm"

values = helm.values_from_yaml(Path(sys.argv[1]).read_text("utf-8")) if sys.argv[1:] else {}
if errors := helm.lint(CHART, values, strict=True)["errors"]:
    sys.exit("\n".join(map(str, errors)))
with helm.Chart.load(CHART) as chart:
    rendered = chart.render(values, name="taflhall", namespace="taflhall")
sys.stdout.writelines(f"---\n{text.strip()}\n" for text in rendered.values() if text.strip())
