using RedisLatency.Hosting.Running;
using RedisLatency.PhaseProbe;

var script = ProbeScript.Parse(args);
return RunHost.Run(script.Verbosity, run => new ProbeRun(script, run).Run());
