using System.Globalization;
using System.Runtime;
using RedisLatency.Metrics.Clocks;
using RedisLatency.Metrics.Histograms;
using RedisLatency.Metrics.Machine;
using RedisLatency.Redis.Endpoints;
using RedisLatency.Workloads.Commands;
using RedisLatency.Workloads.Engine;
using RedisLatency.Workloads.Keys;
using RedisLatency.Workloads.Values;

namespace RedisLatency.EngineRun;

/// <summary>One run of the load engine, and what it cost this process.</summary>
internal static class EngineSlice
{
    /// <summary>Runs, and writes one line: processor time per operation, throughput, latencies, lateness.</summary>
    /// <returns>Whether every operation completed without an error.</returns>
    public static bool Run(string[] words, TextWriter answers)
    {
        var given = new SliceArguments(words);
        var plan = Plan(given);
        // What earlier runs left behind is no operation's of this one.
        GC.Collect();
        using var engine = new RawEngine(plan);
        engine.Connect();
        // Beside a schedule: how late a thread is that has nothing else to do. Without one it would only disturb.
        var recorder = new LatencyRecorder();
        using var hiccups = plan.IsOpenLoop ? HiccupMeter.Start(recorder) : null;
        var start = MonotonicClock.NowNs();
        engine.Start(start);
        Pacer.WaitUntil(start + (long)plan.WarmUp.TotalNanoseconds);
        var (processor, completed, since) = (ProcessorUs(), engine.Totals().Completed, MonotonicClock.NowNs());
        var compiling = JitInfo.GetCompilationTime();
        engine.Join();
        var totals = engine.Totals();
        processor = ProcessorUs() - processor;
        compiling = JitInfo.GetCompilationTime() - compiling;
        completed = totals.Completed - completed;
        var seconds = (MonotonicClock.NowNs() - since) / 1e9;

        var all = LatencyHistogram.ForLatency();
        var late = LatencyHistogram.ForLatency();
        foreach (var worker in engine.Workers)
        {
            foreach (var service in worker.Service.Take(totals.Operations.Count))
                service.TakeInterval(all);
            worker.Lateness.TakeInterval(late);
        }

        var stalls = LatencyHistogram.ForLatency();
        recorder.TakeInterval(stalls);
        answers.WriteLine(string.Create(
            CultureInfo.InvariantCulture,
            $"loop={engine.Driver.Loop} ops={completed} seconds={seconds:0.000} cpu_us={processor / completed:0.0000} "
            + $"compiling_share={compiling.TotalMicroseconds / processor:0.0000} "
            + $"p50_us={Us(all, 50):0.0} p99_us={Us(all, 99):0.0} "
            + $"late_p50_us={Us(late, 50):0.00} late_p99_us={Us(late, 99):0.00} "
            + $"late_within_1us={late.PercentileAtOrBelow(1_000):0.00} "
            + $"late_within_50us={late.PercentileAtOrBelow(50_000):0.00} "
            + $"hiccup_p50_us={Us(stalls, 50):0.0} hiccup_p99_us={Us(stalls, 99):0.0} unsent={totals.Unsent}"));
        return totals.Operations.All(one => one.InFlight == 0 && one.Errors == 0);
    }

    private static EnginePlan Plan(SliceArguments given)
    {
        var keys = new DrawnKeys
        {
            Space = new KeySpace(0, (long)given.Number("keys", 1_000_000)),
            Streams = [KeyDistribution.Parse(given.Text("distribution", "uniform"))],
            Form = KeyForm.Parse(given.Text("form", "memtier")),
            Size = ValueSize.Parse(given.Text("size", "100")),
            Content = ValueContent.Parse(given.Text("content", "constant")),
        };
        var operations = given.Text("mix", "set=1,get=1").Split(',').Select(one => one.Split('=')).Select(one =>
            new MixedOperation(
                one[0], BuiltInCommand.Named(one[0]), double.Parse(one[1], CultureInfo.InvariantCulture)));
        var seconds = given.Number("seconds", 0);
        var count = (long)given.Number("operations", seconds > 0 ? 0 : 100_000);
        var rate = given.Number("rate", 0);
        return new EnginePlan
        {
            Endpoints = [RedisEndpoint.Parse(given.Text("redis", "redis://127.0.0.1:6379"))],
            Mix = new OperationMix([.. operations], isCyclic: given.Text("order", "random") == "cyclic"),
            Inputs = keys.Create,
            Threads = (int)given.Number("threads", 1),
            ConnectionsPerThread = (int)given.Number("connections", 50),
            Pipeline = (int)given.Number("pipeline", 1),
            Operations = count > 0 ? count : null,
            Duration = seconds > 0 ? TimeSpan.FromSeconds(seconds) : null,
            WarmUp = TimeSpan.FromSeconds(given.Number("warmup", 0.1)),
            Rate = rate > 0 ? RateStep.Constant(rate) : [],
            Arrival = new(Enum.Parse<ArrivalKind>(given.Text("arrival", "uniform"), ignoreCase: true)),
            Loop = Enum.Parse<LoopKind>(
                given.Text("loop", "auto").Replace("_", string.Empty, StringComparison.Ordinal), ignoreCase: true),
        };
    }

    private static double ProcessorUs() => Environment.CpuUsage.TotalTime.TotalMicroseconds;

    private static double Us(LatencyHistogram latencies, double percentile) =>
        latencies.ValueAtPercentile(percentile) / 1e3;
}
