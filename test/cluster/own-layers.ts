/** The first step of the last stage of the Dockerfile that makes a layer. */
const FIRST_STEP = /WORKDIR \/app\b/;

/**
 * Sums the sizes of the layers that the last stage of the Dockerfile adds.
 *
 * @param history output of `docker image history`, newest layer first, with lines of size and command
 */
export function sumOwnLayers(history: string): number {
  const lines = history.trim().split('\n');
  const first = lines.findIndex((line) => FIRST_STEP.test(line));
  if (first === -1) throw new Error('the history of the image has no WORKDIR /app');
  return lines.slice(0, first + 1).reduce((sum, line) => sum + Number(line.split(' ')[0]), 0);
}
