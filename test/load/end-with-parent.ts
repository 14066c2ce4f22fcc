// Import it in a forked process, so that it does not outlive a benchmark that was killed.
process.once('disconnect', () => process.exit());
