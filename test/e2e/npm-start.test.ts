// One file for both: what takes processor time fits into the waiting of those that wait for the clock.
import './scenarios/running.ts';
import './scenarios/bad-input.ts';
