// For `node --import`: a process that measures nothing, to tell what its metrics cost. Everything is registered as ever,
// and stays as it was.
import { createRequire } from 'node:module';
import type { MongoClient as Client } from 'mongodb';

const require = createRequire(import.meta.url);
// The modules that the process will import, which are CommonJS: what is changed here it finds changed.
const prom = require('prom-client') as typeof import('prom-client') & { collectDefaultMetrics: unknown };
const { MongoClient } = require('mongodb') as { MongoClient: { prototype: Client } };

const nothing = () => {};
const child = { inc: nothing, dec: nothing, set: nothing, observe: nothing, startTimer: () => () => 0 };

prom.collectDefaultMetrics = Object.assign(nothing, { metricsList: [] });
Object.assign(prom.Counter.prototype, { incWithoutExemplar: nothing, labels: () => child });
Object.assign(prom.Gauge.prototype, { inc: nothing, dec: nothing, set: nothing, labels: () => child });
Object.assign(prom.Histogram.prototype, {
  observeWithoutExemplar: nothing,
  startTimer: () => () => 0,
  labels: () => child,
  zero: nothing,
});

// The driver makes no events of commands where nobody asked for them.
const { connect } = MongoClient.prototype;
MongoClient.prototype.connect = function connectUnwatched(this: Client & { monitorCommands?: boolean }) {
  this.monitorCommands = false;
  return connect.call(this);
};
