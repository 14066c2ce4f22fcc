import type { SurveyRef, WriteWindows } from '../responses/write-window-store.ts';

/**
 * Waits until responses to a survey may have been written. Writes happen only in a write window (`WriteWindows`): so if
 * the last window has ended, nothing is written until another one opens. If a window is open, this pauses once.
 *
 * @param endedWindow the last window if it has ended
 * @param pause returns false when the time is over or the request must end
 * @returns false if `pause` did
 */
export async function awaitWrites(
  windows: Pick<WriteWindows, 'lastWindowOf'>,
  survey: SurveyRef,
  endedWindow: number | undefined,
  pause: () => Promise<boolean>,
): Promise<boolean> {
  while (await pause()) {
    if (endedWindow === undefined || (await windows.lastWindowOf(survey)) !== endedWindow) return true;
  }
  return false;
}
