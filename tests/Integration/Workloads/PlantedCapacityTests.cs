using System.Globalization;
using System.Net;
using RedisLatency.Fixtures;
using RedisLatency.Integration.Results;
using RedisLatency.Reports.DeclaredMetrics;
using RedisLatency.Reports.Records;
using RedisLatency.Server.Links;

namespace RedisLatency.Integration.Workloads;

/// <summary>A rate is what was done in the time that it names, told of a server whose capacity was planted.</summary>
public class PlantedCapacityTests : WorkloadTest
{
    // 14 bytes each, by a way that takes so many bytes a second.
    private const string Ping = "*1\r\n$4\r\nPING\r\n";
    private const int Capacity = 3_000;
    private const double Tolerance = 0.01;

    private static readonly double[] Loads = [0.9, 1.0, 1.1, 1.5];

    [Theory]
    [InlineData(0.5)]
    [InlineData(2)]
    public async Task Rate_OfAServerOfAKnownCapacity_IsWhatItAnswered(double seconds)
    {
        foreach (var load in Loads)
            await Run(load, seconds);
    }

    [Fact]
    public Task Rate_OverEightSeconds_IsWhatItAnswered() => Task.WhenAll(Loads.Select(load => Run(load, 8)));

    /// <summary>The server answers first what the warm-up left there: that is no silence, and is said.</summary>
    [Fact]
    public async Task WarmUpThatLeftAQueue_IsSaid_AndNoSilence()
    {
        var (run, text) = await Run(1.5, 2, "--warmup", "2s", "--connections", "200");

        run.Count(Counted.WarmUpCompleted).ShouldNotBeNull().ShouldBeGreaterThan(Capacity / 2);
        var words = string.Join(' ', text.Split((char[]?)null, StringSplitOptions.RemoveEmptyEntries));
        // The queue takes a second; a machine that pauses for half of one is silent, and told of.
        words.ShouldNotMatch("othing was answered for [1-9]");
        words.ShouldContain("answers to the warm-up came in its time");
    }

    private async Task<(RunSummary Summary, string Text)> Run(double load, double seconds, params string[] options)
    {
        using var link = WanLink.Start(new WanLinkOptions
        {
            Routes = [LinkRoute.Tcp(new IPEndPoint(IPAddress.Loopback, Server.Port))],
            Profile = new LinkProfile { Forward = new LinkSettings { Rate = Capacity * Ping.Length } },
        });
        var asked = load * Capacity;
        await using var process = ServiceProcess.Start(
            "Workloads",
            [
                "run", "--redis", $"redis://127.0.0.1:{Text(link.PortOf())}", "--mix", "ping=1",
                "--rate", asked.ToString(CultureInfo.InvariantCulture),
                "--duration", string.Create(CultureInfo.InvariantCulture, $"{seconds}s"),
                "--threshold", string.Create(CultureInfo.InvariantCulture, $"throughput>={0.985 * asked}"),
                .. options,
            ]);
        var code = await process.End();

        var record = SavedRun.Of(process).Record;
        var run = record.Summaries.ShouldHaveSingleItem();
        var rate = run.Rates.Achieved.ShouldNotBeNull();
        var truth = Math.Min(asked, Capacity);
        var what = $"{load} × {Capacity}/s for {seconds} s: {rate}/s, exit code {code}\n{process}";
        // Nothing that the machine does makes a server quicker.
        rate.ShouldBeLessThanOrEqualTo(truth * (1 + Tolerance), what);
        (run.Count(Counted.Returned)!.Value * 1e9 / run.DurationNs!.Value).ShouldBe(rate, 1e-6 * rate, what);
        if (load > 1)
        {
            record.Verdict.Status.ShouldBe(VerdictStatus.NotValid, what);
            code.ShouldBe(4, what);
        }
        else if (rate < truth * (1 - Tolerance))
        {
            // A pause of this machine at the very end, or one that a server without room to spare never makes up for.
            record.Verdict.Reasons.ShouldContain(
                reason => reason.Contains("after the schedule's end") || reason.Contains("the schedule could not be kept"), what);
        }
        else
        {
            code.ShouldBeOneOf(load < 1 ? [0] : [0, 4]);
        }

        return (run, process.ToString());
    }
}
