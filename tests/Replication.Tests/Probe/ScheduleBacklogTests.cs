using System.Net;
using RedisLatency.Fixtures;
using RedisLatency.Replication.Tests.Truth;
using RedisLatency.Server.Links;

namespace RedisLatency.Replication.Tests.Probe;

/// <summary>A source behind a way that takes fewer keys than are due: what it took is the rate.</summary>
public class ScheduleBacklogTests
{
    private const int Keys = 3_000;
    private const int BytesPerSecond = 250_000;

    [Fact]
    public async Task Rate_BeyondWhatTheSourceTakes_IsWhatItTook_AndTheRunIsNotValid()
    {
        var log = new LinkLog();
        await using var pair = await ReplicatedPair.Start();
        using var link = WanLink.Start(new WanLinkOptions
        {
            Routes = [LinkRoute.Tcp(new IPEndPoint(IPAddress.Loopback, pair.Primary.Port))],
            Profile = new LinkProfile { Forward = new LinkSettings { Rate = BytesPerSecond } },
            Witness = log,
        });
        await using var process = DelayProcess.Start(
            $"redis://127.0.0.1:{link.PortOf()}", pair.Replica.Uri, "--keys", $"{Keys}", "--rate", "2500",
            "--warmup", "0", "--deadline", "20s", "--wait-interval", "0");

        var (code, record) = await process.End().End(process);

        record.Count("read").ShouldBe(Keys, process.ToString());
        // All that went there, divided among the keys: what connecting sent is less than a hundredth of it.
        var capacity = BytesPerSecond / ((double)log.BytesForward / Keys);
        var rate = record["summaries"]![0]!["rates"]!["achieved"]!.GetValue<double>();
        // Nothing that the machine does makes a way quicker; the last answer may have waited for each of three
        // processes.
        var heldUp = 3 * record["metrics"]!["hiccups.max"]!.GetValue<double>() / 1e9;
        rate.ShouldBeInRange(0.98 * Keys / ((Keys / capacity) + heldUp), 1.02 * capacity, process.ToString());
        record["verdict"]!["reasons"]![0]!.GetValue<string>().ShouldContain("the schedule could not be kept");
        code.ShouldBe(4, process.ToString());
    }

    /// <summary>A way back that is half as long as the run makes no queue.</summary>
    [Fact]
    public async Task Rate_OfASourceThatAnswersLate_IsThatAtWhichItWasSent()
    {
        await using var pair = await ReplicatedPair.Start();
        using var link = WanLink.Start(new WanLinkOptions
        {
            Routes = [LinkRoute.Tcp(new IPEndPoint(IPAddress.Loopback, pair.Primary.Port))],
            Profile = LinkProfile.Of(TimeSpan.Zero, TimeSpan.FromMilliseconds(500)),
        });
        await using var process = DelayProcess.Start(
            $"redis://127.0.0.1:{link.PortOf()}", pair.Replica.Uri, "--keys", "500", "--rate", "500", "--warmup", "0",
            "--deadline", "20s", "--wait-interval", "0s");

        var (_, record) = await process.End().End(process);

        var rates = record["summaries"]![0]!["rates"]!;
        rates["achieved"]!.GetValue<double>().ShouldBeGreaterThan(
            0.9 * rates["asked"]!.GetValue<double>(), process.ToString());
    }
}
