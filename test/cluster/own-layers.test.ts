import { expect, it } from 'vitest';
import { sumOwnLayers } from './own-layers.ts';

it('the size of an image is that of the layers after its base', () => {
  const history = `0 ENTRYPOINT ["node" "main.ts"]
0 USER 10001:10001
92000000 COPY /app . # buildkit
100 WORKDIR /app
0 CMD ["node"]
150000000 RUN /bin/sh -c install node
`;
  expect(sumOwnLayers(history)).toBe(92_000_100);
  expect(() => sumOwnLayers('0 CMD ["node"]')).toThrow('WORKDIR');
});
