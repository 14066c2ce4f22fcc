/** Repeats of requests that poll. With at most 8 seconds between them, they last for an outage of some minutes. */
export const MAX_OUTAGE_RETRIES = 30;
