// One file for all: what takes processor time fits into the waiting of those that wait for the clock, which come first.
import './scenarios/pools.ts';
import './scenarios/running.ts';
import './scenarios/bad-input.ts';
