using System.Net;
using RedisLatency.Fixtures;
using RedisLatency.Integration.Results;
using RedisLatency.Reports.Figures;
using RedisLatency.Reports.Records;
using RedisLatency.Server.Links;

namespace RedisLatency.Integration.Pair;

/// <summary>A process in each of several regions that sends to all others and answers them.</summary>
public sealed class MeshTests : MemberTest
{
    private const string AllRegions = "beijing,shanghai,shenzhen";
    // An offset may be wrong by half of what its best probe took too long, and a way be too short by that.
    private const double Tolerance = 0.02;

    // The delay each way between a region and the server: those of two regions add up to the average that Alibaba
    // published for them, 28.35, 34.2 and 29 ms. Each has a clock of its own.
    private static readonly (string Name, double DelayMs, int AheadSeconds)[] Regions =
        [("beijing", 16.775, 100_000), ("shanghai", 11.575, 7), ("shenzhen", 17.425, 3_600)];

    private static readonly string[] Enough = ["--rate", "200", "--warmup", "100", "--duration", "6s"];
    private static readonly string[] Short = ["--rate", "100", "--warmup", "0", "--duration", "1s"];
    private static readonly TimeSpan NearDelay = TimeSpan.FromMilliseconds(5);
    private static readonly TimeSpan MoreThere = TimeSpan.FromMilliseconds(10);
    private static readonly TimeSpan CutFor = TimeSpan.FromSeconds(10);

    [Fact]
    public async Task EveryWayBetweenThreeRegions_IsWhatWasPlanted_AndLoopsClose()
    {
        ServerRequirement.RequireTimeNamespaces();
        var members = Regions.Select(region => StartFar(region.Name, Enough)).ToList();

        await EndMeasured(members);

        var matrix = await MergedMatrix();
        matrix.Ways.Select(way => $"{way.From} {way.To}").ShouldBe(Regions.SelectMany(
            from => Regions.Where(to => to != from).Select(to => $"{from.Name} {to.Name}")));
        foreach (var way in matrix.Ways)
        {
            var planted = DelayNs(way.From) + DelayNs(way.To);
            var p50 = P50Of(way);
            // A busy machine adds to it.
            p50.ShouldBeInRange(planted * (1 - Tolerance), planted + way.Forward!.ErrorNs, $"{way.From} to {way.To}");
            way.Forward.Percentiles.Single(row => row.Percentile == 99).Value.ShouldNotBeNull()
                .ShouldBeGreaterThanOrEqualTo((long)p50);
            way.Forward.Missing.ShouldBe(0);
            way.Check!.NetworkMeanNs.ShouldBeGreaterThan(2 * planted);
            ((double)way.Forward.ErrorNs).ShouldBeGreaterThan(planted);
            Math.Abs(way.Asymmetry!.ForwardMinusBackNs).ShouldBeLessThan(way.Asymmetry.ErrorNs);
        }

        RoundIsRight(matrix, 2 * Regions.Sum(region => DelayNs(region.Name)));
    }

    [Fact]
    public async Task AWayThatIsLongerThereThanBack_IsInsideE_AndRoundALoopIsRight()
    {
        ServerRequirement.RequireTimeNamespaces();
        var members = Regions.Select(region =>
            StartFar(region.Name, Enough, region.Name == "shenzhen" ? MoreThere : default)).ToList();

        await EndMeasured(members);

        var matrix = await MergedMatrix();
        foreach (var way in matrix.Ways)
        {
            var planted = DelayNs(way.From) + DelayNs(way.To)
                + (way.From == "shenzhen" ? MoreThere.TotalNanoseconds : 0);
            var error = P50Of(way) - planted;
            Math.Abs(error).ShouldBeLessThanOrEqualTo(way.Forward!.ErrorNs, $"{way.From} to {way.To}");
            // Nobody can know half of what there and back differ by: it is in E, and in what was measured.
            if (way.To == "shenzhen")
                error.ShouldBeGreaterThan(MoreThere.TotalNanoseconds * 0.4);
        }

        RoundIsRight(matrix, (2 * Regions.Sum(region => DelayNs(region.Name))) + MoreThere.TotalNanoseconds);
    }

    [Fact]
    public async Task ARegionThatIsKilled_IsNamedInTheOthers_WhoseWaysAreWhole()
    {
        var members = Regions.Select(region =>
            StartAt(region.Name, Server.Uri, ["--rate", "100", "--warmup", "0", "--duration", "12s"])).ToList();
        await Measure(Server, members);

        (await members[1].EndBy("KILL")).ShouldBe(137);

        await EndMeasured(members[0], members[2]);
        foreach (var member in (ServiceProcess[])[members[0], members[2]])
        {
            SavedRun.Of(member).Record.Verdict.Reasons
                .ShouldContain("region shanghai (shanghai-1) is dead: its lease ran out.", member.ToString());
        }

        var merged = (await Merge(4, Server))["producer"].Record;
        merged.PartialReason.ShouldNotBeNull();
        foreach (var way in merged.Regions!.Ways)
        {
            if (way.To == "shanghai")
                way.Forward.ShouldNotBeNull().Missing.ShouldBeGreaterThan(100);
            else
                way.Forward.ShouldNotBeNull().Missing.ShouldBe(0);
        }
    }

    [Fact]
    public async Task ARegionThatIsCutOff_IsAGapWithBothEnds_AndTheOthersAreMeasured()
    {
        var members = Regions.Select(region => StartAt(
            region.Name,
            region.Name == "shenzhen" ? $"redis://{StartLink(0, NearDelay, NearDelay)}" : Server.Uri,
            ["--rate", "100", "--warmup", "0", "--duration", "20s"])).ToList();
        await Measure(Server, members);

        var port = Links[0].EntryOf().Port;
        Links[0].Dispose();
        await Task.Delay(CutFor, TestContext.Current.CancellationToken);
        StartLink(port, NearDelay, NearDelay);

        await EndMeasured(members);
        var merged = (await Merge(0, Server))["producer"].Record;
        var gone = Single("disconnected");
        var back = Single("reconnected");
        (back.AtUtc - gone.AtUtc).ShouldBeInRange(CutFor - TimeSpan.FromSeconds(1), CutFor + TimeSpan.FromSeconds(4));
        foreach (var way in merged.Regions!.Ways)
        {
            var isOfCut = way.From == "shenzhen" || way.To == "shenzhen";
            way.Forward.ShouldNotBeNull().Missing
                .ShouldBeInRange(isOfCut ? 800 : 0, isOfCut ? 1_500 : 0, way.ToString());
        }

        RunEvent Single(string kind) => merged.Events.Single(one => one.Kind == kind
            && one.Text.StartsWith("shenzhen-1: ", StringComparison.Ordinal));
    }

    [Fact]
    public async Task ARegionThatIsMissing_IsNamedInEach()
    {
        List<ServiceProcess> early =
        [
            StartAt("beijing", Server.Uri, [.. Short, "--peer-timeout", "3s"]),
            StartAt("shenzhen", Server.Uri, [.. Short, "--peer-timeout", "3s"]),
        ];

        await End(3, early);

        early.ShouldAllBe(member => member.Errors.ToString().Contains(
            "region shanghai is missing (there: ", StringComparison.Ordinal));
    }

    [Fact]
    public async Task OtherRegions_ARegionTwice_AndAnotherServer_AreRefused()
    {
        var other = await StartServer();
        const string Two = "beijing,shanghai";
        var first = StartAt("beijing", Server.Uri, Short, Two);
        await first.Errors.WaitFor("This is region beijing of 2 of run night");
        var twin = StartAt("beijing", Server.Uri, Short, Two, "twin");
        var foreign = StartAt("shanghai", Server.Uri, Short, "shanghai,tokyo");

        await End(3, twin, foreign);
        twin.Errors.ToString().ShouldContain("--region beijing: beijing-1 is there for run night already");
        foreign.Errors.ToString().ShouldContain(
            "--regions: shanghai-1 expects regions shanghai,tokyo, and beijing-1 regions beijing,shanghai");

        var elsewhere = StartAt("shanghai", other.Uri, [.. Short, "--control", Server.Uri], Two);

        await End(3, elsewhere);
        await End(3, first);
        elsewhere.Errors.ToString().ShouldContain(" is there, but does not answer at ");
    }

    [Fact]
    public async Task UsersWithTheRightsThatCheckPrints_AreEnough()
    {
        const string Two = "beijing,shanghai";
        var control = await StartServer();
        // May connect and ask who it is: nothing of what a mesh does.
        Allow(Server, "reset", "on", ">secret", "+@connection", "+@transaction", "+info", "+acl|whoami");
        Allow(Server, RulesIn(await Check(3), "to allow it: "));
        // Which channels it lacks the server says only of who may publish and subscribe.
        Allow(Server, RulesIn(await Check(3), "to allow it: "));
        Allow(control, ["reset", "on", ">secret", .. RulesIn(await Check(0), "its user needs no more than: ")]);

        await EndMeasured(Two.Split(',').Select(region => StartAt(
            region, LoginAt(Server), [.. Short, "--control", LoginAt(control)], Two)).ToList());
        (await Merge(0, control))["producer"].Record.Regions.ShouldNotBeNull().Ways.ShouldAllBe(
            way => way.Forward != null && way.Forward.Missing == 0);

        async Task<ServiceProcess> Check(int exitCode)
        {
            string[] options = [.. OptionsOf("beijing", LoginAt(Server), Two, "beijing-1"), "--control", control.Uri];
            var check = Own(ServiceProcess.Start("Tool", ["mesh", "check", .. options]));
            (await check.End()).ShouldBe(exitCode, check.ToString());
            return check;
        }

        static void Allow(RedisServerProcess server, params string[] rules) =>
            Ask(server, ["ACL", "SETUSER", "mesh", .. rules]).ShouldBe("OK");

        static string LoginAt(RedisServerProcess server) =>
            server.Uri.Replace("://", "://mesh:secret@", StringComparison.Ordinal);

        static string[] RulesIn(ServiceProcess check, string before) => check.Output.Lines
            .First(line => line.Contains($"{before}ACL SETUSER ", StringComparison.Ordinal))
            .Split("ACL SETUSER ")[1].Split(' ')[1..];
    }

    [Theory]
    [InlineData("the names of all regions are needed", "--region", "a")]
    [InlineData("which of them this process is in is not said", "--regions", "a,b")]
    [InlineData("c is not among a, b", "--regions", "a,b", "--region", "c")]
    [InlineData("at least two regions are needed", "--regions", "a", "--region", "a")]
    [InlineData("a is there twice", "--regions", "a,b,a", "--region", "a")]
    [InlineData("a name is empty", "--regions", "a,,b", "--region", "a")]
    [InlineData("b/c: letters (a to z), digits", "--regions", "a,b/c", "--region", "a")]
    public async Task WhatIsNoMesh_IsRefused(string reason, params string[] arguments)
    {
        var member = Own(ServiceProcess.Start("Tool", ["mesh", "127.0.0.1:1", .. arguments]));

        await End(2, member);

        member.Errors.ToString().ShouldContain(reason);
    }

    private static double DelayNs(string region) => 1e6 * Regions.Single(one => one.Name == region).DelayMs;

    private static double P50Of(RegionWay way) =>
        way.Forward.ShouldNotBeNull().Percentiles.Single(row => row.Percentile == 50).Value.ShouldNotBeNull();

    // Of the clocks nothing is left in it, however wrong each offset is.
    private static void RoundIsRight(RegionMatrix matrix, double plantedNs)
    {
        matrix.Loops.Count.ShouldBe(2);
        foreach (var loop in matrix.Loops)
        {
            loop.Closes.ShouldBeTrue();
            (loop.MeanNs + loop.OffsetNs).ShouldBeInRange(plantedNs, 1.5 * plantedNs);
        }
    }

    private async Task<RegionMatrix> MergedMatrix() =>
        (await Merge(0, Server))["producer"].Record.Regions.ShouldNotBeNull();

    private ServiceProcess StartFar(string region, string[] arguments, TimeSpan moreThere = default)
    {
        var (_, delayMs, aheadSeconds) = Regions.Single(one => one.Name == region);
        var delay = TimeSpan.FromMilliseconds(delayMs);
        var server = $"redis://{StartLink(0, delay + moreThere, delay)}";
        return Own(ServiceProcess.StartAhead(
            aheadSeconds, "Tool", ["mesh", .. OptionsOf(region, server, AllRegions, $"{region}-1"), .. arguments]));
    }

    private ServiceProcess StartAt(
        string region, string server, string[] arguments, string regions = AllRegions, string? instance = null) =>
        Own(ServiceProcess.Start(
            "Tool", ["mesh", .. OptionsOf(region, server, regions, instance ?? $"{region}-1"), .. arguments]));

    private static string[] OptionsOf(string region, string server, string regions, string instance) =>
    [
        "--redis", server, "--run", RunName, "--regions", regions, "--region", region, "--instance", instance,
    ];

    private IPEndPoint StartLink(int port, TimeSpan there, TimeSpan back)
    {
        var link = WanLink.Start(new WanLinkOptions
        {
            Routes =
            [
                new LinkRoute(
                    LinkProtocol.Tcp,
                    new IPEndPoint(IPAddress.Loopback, port),
                    new IPEndPoint(IPAddress.Loopback, Server.Port)),
            ],
            Profile = LinkProfile.Of(there, back),
        });
        Links.Add(link);
        return link.EntryOf();
    }
}
