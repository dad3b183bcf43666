"""Programs that write into arrays, from the corpus: their gradients are kept as text with the others."""

from __future__ import annotations

from tests.corpus import Program
from tests.programs import dynamic_programming, filters_and_cells, linear_algebra_loops, particles_and_gathers, stencils

CHOSEN = {
    stencils: ("jacobi_1d", "jacobi_1d_elements", "gauss_seidel", "red_black_2d_all", "burgers"),
    linear_algebra_loops: ("lu", "cholesky", "triangular_solve", "thomas", "clenshaw"),
    dynamic_programming: ("longest_path", "viterbi_elements", "knapsack"),
    particles_and_gathers: ("deposit_by_a_loop", "spmv_all", "spring_chain", "soft_threshold"),
    filters_and_cells: ("convolution_all", "biquad", "running_filter"),
}


def programs() -> list[Program]:
    """The chosen programs, in the order of CHOSEN."""
    found = {(file, program.id.partition("-")[2]): program for file in CHOSEN for program in file.PROGRAMS}
    return [found[file, name] for file, names in CHOSEN.items() for name in names]
