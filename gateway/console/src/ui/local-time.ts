/** Formats a time for an input of the type `datetime-local`, in the time zone of the viewer. */
export function toLocalInput(iso: string): string {
  const time = new Date(iso);
  const shifted = new Date(time.getTime() - time.getTimezoneOffset() * 60_000);
  return shifted.toISOString().slice(0, 'yyyy-mm-ddThh:mm'.length);
}

/** Reads the value of an input of the type `datetime-local`. Undefined if it is empty or incomplete. */
export function fromLocalInput(value: string): string | undefined {
  const time = new Date(value);
  return Number.isNaN(time.getTime()) ? undefined : time.toISOString();
}
