/** Thrown if a condition of another tool has no equivalent. The message is the reason, for the warning. */
export class NotConvertedError extends Error {
  override readonly name = 'NotConvertedError';
}
