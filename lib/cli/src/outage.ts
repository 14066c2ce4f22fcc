/** Maximum retries of a polling request. Pauses grow to 8 seconds, so the retries outlast an outage of some minutes. */
export const MAX_OUTAGE_RETRIES = 30;
