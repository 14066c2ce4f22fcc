// For `node --import`: begins to trace before the process loads anything of its own.
import { isTracingWanted } from './tracing-wanted.ts';

if (isTracingWanted(process.env)) {
  // What is not wanted is not loaded either. In this order, because the SDK loads what is to be instrumented.
  const { createInstrumentations } = await import('./instrumentations.ts');
  const instrumentations = createInstrumentations();
  const { startTracing } = await import('./start-tracing.ts');
  startTracing(instrumentations, process.env);
}
