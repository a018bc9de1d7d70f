using RedisLatency.Hosting.Options;
using RedisLatency.Hosting.Output;
using RedisLatency.Hosting.Results;
using RedisLatency.Hosting.Running;
using RedisLatency.Workloads.FrontEnds;
using RedisLatency.Workloads.Options;
using RedisLatency.Workloads.Phases;
using RedisLatency.Workloads.Scenarios;

namespace RedisLatency.Workloads;

/// <summary>The command line of Workloads: load, run, both, scenario, check, cleanup, show.</summary>
public static class WorkloadsProgram
{
    /// <summary>Runs the program.</summary>
    /// <returns>The exit code; see <see cref="ExitCode"/>.</returns>
    public static Task<int> RunAsync(IReadOnlyList<string> arguments) =>
        new CommandLineProgram(Create("Workloads")).RunAsync(arguments);

    /// <summary>The service under a name of its own: as a program, or as a word of one.</summary>
    public static ServiceCommand Create(string name)
    {
        return new ServiceCommand<WorkloadOptions>(
            name,
            "Loads a server like YCSB or memtier_benchmark, and measures every operation.",
            WorkloadCatalogue.ForRun(),
            (run, _) => Task.FromResult(Measure(JobPlanning.LoadAndRun(run))))
        {
            IsProgram = true,
            Common =
            [
                "--redis", "--workload", "--mix", "--records", "--operations", "--duration", "--rate",
                "--connections", "--threshold",
            ],
            Examples =
            [
                new("Try YCSB's workload A inside this process; no server needed", string.Empty),
                new("Load a server and run workload A on it, both measured",
                    "host:6379 --workload a --records 1m"),
                new("Keep a schedule of 50,000 operations per second",
                    "run host:6379 --mix get=9,set=1 --rate 50k --duration 60s"),
                new("Repeat a published measurement at a millionth of its size",
                    "scenario tair-essd host:6379 --scale 1e-6"),
            ],
            Verbs =
            [
                new ServiceCommand<WorkloadOptions>(
                    "load",
                    "Writes every record once, and measures it.",
                    WorkloadCatalogue.ForLoad(),
                    (run, _) => Task.FromResult(Measure(JobPlanning.Load(run)))),
                new ServiceCommand<WorkloadOptions>(
                    "run",
                    "Runs operations on records that were loaded.",
                    WorkloadCatalogue.ForRun(),
                    (run, _) => Task.FromResult(Measure(JobPlanning.Run(run)))),
                new ServiceCommand<ScenarioOptions>(
                    "scenario",
                    "Runs a scenario, and prints published figures beside it.",
                    WorkloadCatalogue.ForScenario(),
                    (run, _) => Task.FromResult(RunScenario(run)))
                {
                    Common = ["--redis", "--scale", "--only", "--driver", "--floor", "--threshold", "--out"],
                },
                new ServiceCommand<WorkloadOptions>(
                    "check",
                    "Checks what a run needs, and measures nothing.",
                    WorkloadCatalogue.ForRun(),
                    (run, _) => Task.FromResult(WorkloadsCheck.Run(run))),
                KeyCleanup.Create(),
                ShowCommand.Create(),
                Memtier.Command,
                RedisBenchmark.Command,
                Ycsb.Command,
            ],
        };
    }

    private static int RunScenario(CommandRun<ScenarioOptions> command)
    {
        if (command.Options.Values.Scenario is { } nameOrFile)
            return Measure(JobPlanning.Of(command, nameOrFile));
        using var output = new StandardOutput();
        ScenarioLibrary.WriteList(output);
        return output.End(ExitCode.Valid);
    }

    private static int Measure(WorkloadJob job) =>
        RunHost.Run(job.Output, run => WorkloadsRun.Live(job, run));
}
