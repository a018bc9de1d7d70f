using System.Diagnostics;
using System.Globalization;
using System.Text;
using RedisLatency.Fixtures;
using RedisLatency.Fleet.Live;
using RedisLatency.Fleet.Meeting;
using RedisLatency.Fleet.Results;
using RedisLatency.Integration.Results;
using RedisLatency.Metrics.Results;
using RedisLatency.Redis.Endpoints;
using RedisLatency.Redis.StackExchange;

namespace RedisLatency.Integration.Workloads;

/// <summary>
/// What members ask of the Redis where they meet, and what watching and merging them takes: many, simulated in this
/// process, each with a client of its own, which sends and leaves what one real run has measured.
/// docs/scale.md has the figures.
/// </summary>
public sealed class FleetScaleTests(ITestOutputHelper output) : FleetTest
{
    private const string Tag = "insert-response";
    private const int JoiningAtOnce = 4;

    private static readonly TimeSpan Second = TimeSpan.FromSeconds(1);
    private static readonly TimeSpan Measuring = 20 * Second;

    [Theory(Explicit = true)]
    [InlineData(10)]
    [InlineData(100)]
    [InlineData(1_000)]
    public async Task ManyMembers_MeetStartAndSend_AndMergeToOneRun(int members)
    {
        var one = await Run(0, "load", "--run", RunName, "--records", "20000", "--rate", "2000");
        var seconds = SecondsOf(one);
        using var ending = CancellationTokenSource.CreateLinkedTokenSource(TestContext.Current.CancellationToken);
        var stop = ending.Token;
        using var joining = new SemaphoreSlim(JoiningAtOnce);
        using var measuring = new Barrier(members + 1);
        var starts = new FleetStart[members];
        await using var watch = ServiceProcess.Start("Tool", "watch", "--control", Control.Uri, "--run", RunName);
        var began = Stopwatch.GetTimestamp();
        var taking = Task.WhenAll(Enumerable.Range(0, members).Select(index => Task.Factory.StartNew(
            () => Take(index), stop, TaskCreationOptions.LongRunning, TaskScheduler.Default)));
        var watching = Task.Factory.StartNew(
            () =>
            {
                measuring.SignalAndWait(stop);
                var took = Stopwatch.GetElapsedTime(began);
                var (before, cpu) = (Asked(), ProcessorOf(watch.ProcessId));
                measuring.SignalAndWait(stop);
                return (Took: took, Before: before, After: Asked(), Watch: ProcessorOf(watch.ProcessId) - cpu);
            },
            stop, TaskCreationOptions.LongRunning, TaskScheduler.Default);
        await taking;
        var (meeting, before, after, watchCpu) = await watching;
        (await watch.End()).ShouldBe(0, watch.ToString());

        // Of one machine, so of one clock: each reckons the common start within its error.
        starts.Max(start => start.AtNs - start.ErrorNs)
            .ShouldBeLessThanOrEqualTo(starts.Min(start => start.AtNs + start.ErrorNs));
        var left = Asked().Received - after.Received;
        var (merging, memory) = await Merge(members, members * one.Merged(Tag).TotalCount);
        var memberSeconds = members * Measuring.TotalSeconds;
        output.WriteLine(string.Create(
            CultureInfo.InvariantCulture,
            $"| {members:N0} | {meeting.TotalSeconds:F1} s | {(after.Commands - before.Commands) / memberSeconds:F1} "
            + $"| {(after.Received - before.Received) / memberSeconds:N0} B "
            + $"| {(after.Sent - before.Sent) / memberSeconds:N0} B "
            + $"| {(after.ProcessorSeconds - before.ProcessorSeconds) / Measuring.TotalSeconds:P1} "
            + $"| {watchCpu / Measuring:P1} | {left / members / 1024:N0} KiB "
            + $"| {members / merging.TotalSeconds:F0}/s | {memory >> 20} MiB |"));

        void Take(int index)
        {
            try
            {
                TakePart(index);
            }
            catch
            {
                // Or the others would wait for this one.
                ending.Cancel();
                throw;
            }
        }

        void TakePart(int index)
        {
            var settings = new FleetSettings
            {
                Run = RunName,
                Role = "load",
                Roster = new FleetRoster(("load", members)),
                Index = index,
                Instance = $"host-{Text(index)}",
                Version = one.Record.SuiteVersion,
                Timeout = TimeSpan.FromMinutes(10),
                IsStreamed = true,
            };
            // As machines are started: not all in one moment.
            joining.Wait(stop);
            using var control = ControlClient.Open(RedisEndpoint.Parse(Control.Uri), Patience.Connection);
            using var member = FleetMembership.Join(control, settings, _ => { }, stop);
            joining.Release();
            member.Meet(stop);
            starts[index] = member.AwaitStart(1, stop);
            measuring.SignalAndWait(stop);
            Send(new IntervalStream(control, RunName, member.Session, members), member.Place);
            measuring.SignalAndWait(stop);
            member.AwaitEnd(stop);
            new FleetResults(control, RunName).Send(member, settings, ResultsOf(settings.Instance));
        }

        void Send(IntervalStream stream, int place)
        {
            var from = Stopwatch.GetTimestamp();
            for (var at = TimeSpan.Zero; at < Measuring; at += Second)
            {
                var lines = seconds[(int)at.TotalSeconds % seconds.Count];
                stream.Add(new MemberInterval(place, at, "response", Tag, lines, at + Second >= Measuring));
                var left = at + Second - Stopwatch.GetElapsedTime(from);
                if (left > TimeSpan.Zero)
                    stop.WaitHandle.WaitOne(left);
            }
        }

        // As if it were this member's: one run counts once.
        string ResultsOf(string instance)
        {
            var folder = Directory.CreateDirectory($"{one.Folder}-{instance}").FullName;
            File.Copy(
                Path.Combine(one.Folder, ResultsFolder.IntervalLogName),
                Path.Combine(folder, ResultsFolder.IntervalLogName));
            var record = File.ReadAllText(Path.Combine(one.Folder, ResultsFolder.RunRecordName));
            File.WriteAllText(
                Path.Combine(folder, ResultsFolder.RunRecordName),
                record.Replace($"\"instance\": \"{one.Record.Instance}\"", $"\"instance\": \"{instance}\"",
                    StringComparison.Ordinal));
            return folder;
        }
    }

    private async Task<(TimeSpan Took, long Memory)> Merge(int members, long samples)
    {
        var began = Stopwatch.GetTimestamp();
        await using var merge = ServiceProcess.Start(
            "Tool", "report", "merge", "--control", Control.Uri, "--run", RunName);
        var memory = 0L;
        while (!merge.HasExited)
        {
            memory = Math.Max(memory, MemoryOf(merge.ProcessId));
            await Task.Delay(20, CancellationToken.None);
        }

        var took = Stopwatch.GetElapsedTime(began);
        (await merge.End()).ShouldBe(0, merge.ToString());
        var merged = SavedRun.Of(merge);
        merged.Record.MergedFrom.ShouldNotBeNull().Count.ShouldBe(members);
        merged.Merged(Tag).TotalCount.ShouldBe(samples);
        return (took, memory);
    }

    // What a run logged, second by second.
    private static List<ReadOnlyMemory<byte>> SecondsOf(SavedRun run) =>
    [
        .. File.ReadLines(Path.Combine(run.Folder, ResultsFolder.IntervalLogName))
            .Where(line => line.StartsWith("Tag=", StringComparison.Ordinal))
            .GroupBy(line => line.Split(',')[1])
            .Select(lines => string.Concat(lines.Select(line => $"{line}\n")))
            .Select(lines => (ReadOnlyMemory<byte>)Encoding.UTF8.GetBytes(lines)),
    ];

    private (double Commands, double Received, double Sent, double ProcessorSeconds) Asked()
    {
        var facts = AskControl("INFO", "everything").Split('\n')
            .Select(line => line.TrimEnd('\r').Split(':'))
            .Where(words => words.Length == 2)
            .ToDictionary(words => words[0], words => words[1]);
        return (Of("total_commands_processed"), Of("total_net_input_bytes"), Of("total_net_output_bytes"),
            Of("used_cpu_sys") + Of("used_cpu_user"));

        double Of(string name) => double.Parse(facts[name], CultureInfo.InvariantCulture);
    }

    private static TimeSpan ProcessorOf(int processId)
    {
        using var process = Process.GetProcessById(processId);
        return process.TotalProcessorTime;
    }

    private static long MemoryOf(int processId)
    {
        try
        {
            using var process = Process.GetProcessById(processId);
            return process.PeakWorkingSet64;
        }
        catch (ArgumentException)
        {
            return 0;
        }
    }
}
