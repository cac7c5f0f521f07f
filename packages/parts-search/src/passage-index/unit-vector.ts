/** Scales a vector to length 1, so that a dot product is the cosine; the zero vector stays as it is. */
export function toUnitVector(values: readonly number[] | Float32Array): Float32Array {
  const length = Math.hypot(...values);
  return Float32Array.from(values, (value) => (length === 0 ? 0 : value / length));
}
