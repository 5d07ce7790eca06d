export {
  cpuMsOf,
  cpuMsSince,
  grace,
  slowness
} from "../../packages/language/test/support/machine.ts"
