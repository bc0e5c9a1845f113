/* Compiled with contraction on, so that tests/hygiene/check_instructions.py finds a fused
 * multiply-add. */
float fused_sample(float a, float b, float c);

float fused_sample(float a, float b, float c) {
  return a * b + c;
}
