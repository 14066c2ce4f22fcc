import { expect, it } from 'vitest';
import { describeUpload } from './upload-progress.ts';

const at = (seconds: number, bytes: number) => ({ at: seconds * 1000, bytes, rows: 0 });

it.each([
  [0, [], '0 B of 10 MB, 0%'],
  [2.5e6, [at(0, 0), at(1, 2.5e6)], '2.5 MB of 10 MB, 25%, about 3 s left'],
  [2.5e6, [at(0, 2.5e6), at(1, 2.5e6)], '2.5 MB of 10 MB, 25%'],
  [10e6, [at(0, 0), at(1, 10e6)], '10 MB are uploaded. The platform replies soon…'],
])('describes %d sent bytes', (sent, samples, text) => {
  expect(describeUpload(sent, 10e6, samples)).toBe(text);
});
