"""Plots of the simulated runs."""

from __future__ import annotations

from pathlib import Path

import matplotlib as mpl

mpl.use("svg")

import matplotlib.pyplot as plt

from tests.benchmarks.capacity.scenarios import BEFORE, Outcome


def draw(outcome: Outcome, folder: Path) -> Path:
    """Draw the percentile of each second of each run; return the file, the same for the same."""
    mpl.rcParams["svg.hashsalt"] = outcome.name
    figure, axes = plt.subplots(figsize=(7, 3))
    for run in outcome.runs:
        seconds = [second - BEFORE for second in run]
        axes.plot(seconds, list(run.values()), color="#33658a", alpha=0.4)
    axes.set(
        xlabel="seconds after it begins",
        ylabel="p99 of a command, ms",
        title=outcome.name,
        yscale="log",
    )
    axes.grid(alpha=0.3)
    figure.tight_layout()
    file = folder / f"{outcome.name.replace(' ', '-')}.svg"
    figure.savefig(file, metadata={"Date": None, "Creator": None})
    plt.close(figure)
    return file
