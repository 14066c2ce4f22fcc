// Property tests take the same inputs in each run of `npm test`, and others in each run of `npm run test:all`.
import fc from 'fast-check';

fc.configureGlobal({ ...fc.readConfigureGlobal(), seed: 20_260_101 });
