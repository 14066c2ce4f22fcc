// For `node --import`: enables tracing before the process loads its own modules.
import { isTracingWanted } from './tracing-wanted.ts';

if (isTracingWanted(process.env)) {
  // Loaded only if enabled. The hooks come first, because the SDK loads modules that are to be instrumented.
  const { createInstrumentations } = await import('./instrumentations.ts');
  const instrumentations = createInstrumentations();
  const { startTracing } = await import('./start-tracing.ts');
  startTracing(instrumentations, process.env);
}
