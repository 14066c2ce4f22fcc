// For `node --import`: disables the recording of metrics, to measure their cost. Metrics stay registered.
import { createRequire } from 'node:module';
import type { MongoClient as Client } from 'mongodb';

const require = createRequire(import.meta.url);
// The process imports these CommonJS modules later, and sees the changes.
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

// The driver emits no command events unless enabled.
const { connect } = MongoClient.prototype;
MongoClient.prototype.connect = function connectUnwatched(this: Client & { monitorCommands?: boolean }) {
  this.monitorCommands = false;
  return connect.call(this);
};
