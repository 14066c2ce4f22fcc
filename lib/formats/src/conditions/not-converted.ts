/** Thrown if a condition of another tool has no equivalent. The message is the reason, for the warning. */
export class NotConverted extends Error {
  override readonly name = 'NotConverted';
}
