using System.Globalization;
using System.Net;
using RedisLatency.Fixtures;
using RedisLatency.Integration.Results;
using RedisLatency.Reports.Records;
using RedisLatency.Server.Links;

namespace RedisLatency.Integration.Pair;

/// <summary>
/// Three regions, each with a Producer and a Consumer on clocks of its own, far from the servers by its own link.
/// </summary>
public sealed class RegionTests : MemberTest
{
    private const string Expect = "producer=3,consumer=3";

    // Each of the two processes of a region has a link of its own, with this delay each way.
    private static readonly (string Name, TimeSpan Delay, int AheadSeconds)[] Regions =
    [
        ("beijing", TimeSpan.FromMilliseconds(9), 100_000),
        ("shanghai", TimeSpan.FromMilliseconds(2), 7),
        ("shenzhen", TimeSpan.FromMilliseconds(5), 3_600),
    ];

    private static readonly TimeSpan Together = TimeSpan.FromMilliseconds(5);

    [Fact]
    public async Task SixProcesses_StartedInAnyOrder_StartWithin5MsOfEachOther()
    {
        ServerRequirement.RequireTimeNamespaces();
        var control = await StartServer();
        var members = new Dictionary<(string Role, int Region), ServiceProcess>();
        foreach (var (role, region) in (IEnumerable<(string, int)>)
            [("Producer", 2), ("Consumer", 0), ("Producer", 0), ("Consumer", 2), ("Consumer", 1), ("Producer", 1)])
        {
            var member = StartIn(region, control, role, role == "Producer" ? "2s" : null);
            await member.Errors.WaitFor($"of 3 of run {RunName}");
            members[(role, region)] = member;
        }

        await EndMeasured(members.Values);

        var runs = members.ToDictionary(member => member.Key, member => SavedRun.Of(member.Value).Record);
        // What a busy machine adds to a link is in the bound that the member states of its reckoning.
        var allowed = Together + (2 * runs.Max(run => StartOf(run.Value).Error - Regions[run.Key.Region].Delay));
        var starts = runs.Values.Where(run => run.Role == "producer")
            .Select(run => run.Summaries.ShouldHaveSingleItem().StartUtc.ShouldNotBeNull()).ToList();
        starts.Count.ShouldBe(3);
        foreach (var run in runs.Values)
        {
            starts.ShouldAllBe(start => (start - StartOf(run).At).Duration() < allowed);
            run.Events.ShouldNotContain(one => one.Text.StartsWith("heard of", StringComparison.Ordinal));
        }

        (starts.Max() - starts.Min()).ShouldBeLessThan(allowed);
    }

    [Fact]
    public async Task OneKilled_OneLate_AndTheControlRestarted_AreInTheResult_WhichIsTheSum()
    {
        ServerRequirement.RequireTimeNamespaces();
        var control = await StartServer();
        var producers = Enumerable.Range(0, 3).Select(region => StartIn(region, control, "Producer", "12s")).ToList();
        var consumers = Enumerable.Range(0, 3).Select(region => StartIn(region, control, "Consumer")).ToList();
        await Measure(control, producers);

        await control.Kill();
        await control.Restart();
        await Eventually.Is(
            "they are back", () => Ask(control, "EXISTS", $"redislatency:{{{RunName}}}:session") == "1");
        (await producers[1].EndBy("KILL")).ShouldBe(137);
        // What a scheduler starts in the place of the one that died.
        var late = StartIn(1, control, "Producer", "12s", "late");

        await End(3, late);
        late.Errors.ToString().ShouldContain("run night is under way already");
        await EndMeasured([producers[0], producers[2]]);
        await End(0, consumers);
        var sent = new[] { producers[0], producers[2] }.Select(SavedRun.Of).ToList();
        var served = consumers.Select(SavedRun.Of).ToList();
        foreach (var run in sent.Concat(served))
        {
            run.Record.Verdict.Reasons.ShouldContain("producer 1 (producer-1) is dead: its lease ran out.");
            run.Record.Verdict.Reasons.ShouldNotContain(reason => reason.Contains(
                "use another --run", StringComparison.Ordinal));
            run.Record.Events.ShouldContain(one => one.Text.StartsWith(
                "a process (late) refused: run night is under way already", StringComparison.Ordinal));
        }

        var merged = await Merge(4, control);
        ShouldBeTheSum(merged["producer"], "rtt-intended", sent);
        ShouldBeTheSum(merged["consumer"], "residence", served);
        merged["producer"].Record.PartialReason.ShouldNotBeNull();
        merged["consumer"].Record.Partial.ShouldBeFalse();
    }

    // "start 1 at TIME by the control server's clock ± 9.1 ms", all of them before they measure.
    private static (DateTimeOffset At, TimeSpan Error) StartOf(RunRecord run)
    {
        var words = run.Events.Single(one => one.Text.StartsWith("start 1 at ", StringComparison.Ordinal))
            .Text.Split(' ');
        return (
            DateTimeOffset.Parse(words[3], CultureInfo.InvariantCulture),
            TimeSpan.FromMilliseconds(double.Parse(words[^2], CultureInfo.InvariantCulture)));
    }

    private ServiceProcess StartIn(
        int region, RedisServerProcess control, string role, string? duration = null, string? instance = null)
    {
        var (name, delay, aheadSeconds) = Regions[region];
        var link = WanLink.Start(new WanLinkOptions
        {
            Routes =
            [
                LinkRoute.Tcp(new IPEndPoint(IPAddress.Loopback, Server.Port)),
                LinkRoute.Tcp(new IPEndPoint(IPAddress.Loopback, control.Port)),
            ],
            Profile = LinkProfile.Symmetric(delay),
        });
        Links.Add(link);
        string[] sending = duration is null ? [] : ["--rate", "100", "--warmup", "50", "--duration", duration];
        return Own(ServiceProcess.StartAhead(
            aheadSeconds,
            role,
            [
                "--redis", $"redis://{link.EntryOf()}", "--region", name, .. sending,
                .. MemberOptions($"redis://{link.EntryOf(1)}", role, region, Expect, instance),
            ]));
    }
}
