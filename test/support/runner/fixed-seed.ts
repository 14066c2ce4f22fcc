// Uses a fixed seed for property tests in `npm test`, and random seeds in `npm run test:all`.
import fc from 'fast-check';

fc.configureGlobal({ ...fc.readConfigureGlobal(), seed: 20_260_101 });
