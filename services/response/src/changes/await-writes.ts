import type { SurveyRef, WriteWindows } from '../responses/write-window-store.ts';

/**
 * Waits until responses to a survey may have been written. They are written only in a write window (`WriteWindows`). So
 * if the last window has ended, this waits until another one opens. If a window is open, this pauses once.
 *
 * @param endedWindow the last window; undefined if it has not ended
 * @param pause returns false if the time is over or the request must end
 * @returns false if `pause` returned false
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
