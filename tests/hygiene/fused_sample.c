/* Compiled with contraction on, so that tests/hygiene/check_instructions.py has something to find. */
float fused_sample(float a, float b, float c);

float fused_sample(float a, float b, float c) {
  return a * b + c;
}
