// The public names of `pawl/testing`, one by one: what is not here may change without a word.

export type { CrashPlace, CrashPoint } from './crash.ts'
export type { Behaviour, Call, Double, Fault, Interaction } from './double.ts'
export { atEveryCrashPoint, type CrashReport, type CrashTrial } from './every-crash.ts'
export { given } from './given.ts'
export type { LogLine, TestPawlOptions } from './lives.ts'
export {
  generateLoadTest,
  type LoadContext,
  type LoadScenario,
  type LoadTestConfig,
  type LoadTestPlan,
} from './load-plan.ts'
export type { LoadReport, Tally } from './load-report.ts'
export { type LoadRunOptions, loadTestParts, runLoadTest } from './load-run.ts'
export { mockRunner } from './mock.ts'
export type { Recommendation } from './recommend.ts'
export type { Expected, ExpectedAction, Given, Moment, Outcome } from './scenario.ts'
export { story } from './story.ts'
export { type ActionTestResult, type MockConfig, type TestContext, testAction } from './test-action.ts'
export { type TestPawl, testPawl } from './test-pawl.ts'
