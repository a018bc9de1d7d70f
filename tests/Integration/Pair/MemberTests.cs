using RedisLatency.Fixtures;
using RedisLatency.Integration.Results;
using RedisLatency.Reports.DeclaredMetrics;
using RedisLatency.Reports.Figures;

namespace RedisLatency.Integration.Pair;

/// <summary>Several Producers and Consumers as one run.</summary>
public sealed class MemberTests : MemberTest
{
    private const string Two = "producer=2,consumer=2";
    private const string Pair = "producer=1,consumer=1";

    private static readonly string[] Short = ["--rate", "200", "--warmup", "100", "--iterations", "400"];
    private static readonly string[] Long = ["--rate", "200", "--warmup", "0", "--duration", "10m"];

    [Fact]
    public async Task ProducersAndConsumers_StartTogether_EndTogether_AndMergeToTheSumOfEachRole()
    {
        var control = await StartServer();
        var watch = Own(WatchedLine.Start(control.Uri, RunName));
        await watch.Errors.WaitFor("Waiting for a run");
        var producers = new List<ServiceProcess> { StartMember(control, "Producer", 1, Two, Short) };
        await producers[0].Errors.WaitFor("This is producer 1 of 2 of run night");
        var consumers = new List<ServiceProcess>
        {
            StartMember(control, "Consumer", 0, Two),
            // The order of roles is the same in all, however it is typed.
            StartMember(control, "Consumer", 1, "consumer=2,producer=2"),
        };
        producers.Add(StartMember(control, "Producer", 0, Two, Short));

        await EndMeasured(producers);
        await End(0, consumers);

        var sent = producers.Select(SavedRun.Of).ToList();
        sent.ShouldAllBe(run => run.Count(Counted.Sent) == 400);
        var starts = sent.Select(run => run.Summary.StartUtc.ShouldNotBeNull()).ToList();
        (starts.Max() - starts.Min()).ShouldBeLessThan(TimeSpan.FromMilliseconds(5));
        var served = consumers.Select(SavedRun.Of).ToList();
        served.ShouldAllBe(run => run.CountsOf("all").Count(Counted.Received) == 800 && !run.Record.Partial);
        var merged = await Merge(0, control);
        merged.Keys.ShouldBe(["producer", "consumer"], ignoreOrder: true);
        ShouldBeTheSum(merged["producer"], "rtt-intended", sent);
        ShouldBeTheSum(merged["consumer"], "residence", served);
        (await watch.End()).ShouldBe(0, watch.ToString());
        var lines = WatchedLine.Of(watch);
        lines.Where(line => line.Series == "rtt-intended").Sum(line => line.Count)
            .ShouldBe(merged["producer"].Merged("rtt-intended").TotalCount, watch.ToString());
        lines.Where(line => line.Series == "residence").Sum(line => line.Count)
            .ShouldBe(merged["consumer"].Merged("residence").TotalCount, watch.ToString());
        (await Merge(0, control, "--role", "consumer")).Keys.ShouldBe(["consumer"]);
    }

    [Fact]
    public async Task AConsumerThatLosesItsServer_EndsAll_WithItsReasonInEach()
    {
        var control = await StartServer();
        var other = await StartServer();
        var producer = StartMember(control, "Producer", 0, "producer=1,consumer=2", Long);
        var well = StartMember(control, "Consumer", 0, "producer=1,consumer=2");
        var lost = Own(Start("Consumer",
        [
            "--redis", other.Uri, .. MemberOptions(control.Uri, "Consumer", 1, "producer=1,consumer=2"),
            "--reconnect-timeout", "500ms",
        ]));
        await Measure(control, producer);

        await other.Kill();

        await End(5, lost);
        await End(4, producer, well);
        foreach (var member in (ServiceProcess[])[producer, well])
        {
            SavedRun.Of(member).Record.PartialReason.ShouldNotBeNull()
                .ShouldContain("consumer 1 (consumer-1) ended the run: ");
        }
    }

    [Fact]
    public async Task AProducerThatIsStopped_IsNamed_AndTheConsumerServesTheOthersToTheirEnd()
    {
        var control = await StartServer();
        const string Expect = "producer=2,consumer=1";
        var consumer = StartMember(control, "Consumer", 0, Expect);
        var stays = StartMember(
            control, "Producer", 0, Expect, "--rate", "200", "--warmup", "0", "--duration", "5s");
        var stopped = StartMember(control, "Producer", 1, Expect, Long);
        await Measure(control, stopped);

        (await stopped.EndBy("TERM")).ShouldBe(143, stopped.ToString());

        await EndMeasured(stays);
        await End(0, consumer);
        foreach (var member in (ServiceProcess[])[stays, consumer])
        {
            SavedRun.Of(member).Record.Verdict.Reasons
                .ShouldContain("producer 1 (producer-1) was stopped by a signal.", member.ToString());
        }
    }

    [Fact]
    public async Task AMissingConsumer_IsNamedInEach()
    {
        var control = await StartServer();
        const string Expect = "producer=1,consumer=2";

        var early = new List<ServiceProcess>
        {
            StartMember(control, "Producer", 0, Expect, "--peer-timeout", "3s"),
            StartMember(control, "Consumer", 1, Expect, "--peer-timeout", "3s"),
        };

        await End(3, early);
        early.ShouldAllBe(member => member.Errors.ToString().Contains(
            "consumer 0 of 2 is missing (there: ", StringComparison.Ordinal));
    }

    [Fact]
    public async Task AMemberThatExpectsOthers_OrHasAnIndexTwice_IsRefused()
    {
        var control = await StartServer();
        var consumer = StartMember(control, "Consumer", 0, Pair);
        await consumer.Errors.WaitFor("This is consumer 0 of 1");
        var other = StartMember(control, "Producer", 0, "producer=1,consumer=2", Short);
        var twin = Own(Start("Consumer",
            ["--redis", Server.Uri, .. MemberOptions(control.Uri, "Consumer", 0, Pair, "twin")]));

        await End(3, other, twin);

        other.Errors.ToString().ShouldContain(
            "--expect: producer-0 expects producer=1,consumer=2, and consumer-0 producer=1,consumer=1");
        twin.Errors.ToString().ShouldContain("--member 0: consumer-0 is consumer 0 of run night already");
        await End(0, consumer, StartMember(control, "Producer", 0, Pair, Short));
    }

    [Fact]
    public async Task AUserWithTheRuleThatCheckPrints_IsEnough()
    {
        var control = await StartServer();
        var rule = await RuleOf("Producer", control, "--consumer", "auto");
        (await RuleOf("Consumer", control)).ShouldBe(rule);
        var words = rule[rule.IndexOf("ACL SETUSER", StringComparison.Ordinal)..].Split(' ');
        Ask(control, ["ACL", "SETUSER", "fleet", "reset", "on", ">pa55w0rd", .. words[3..]]).ShouldBe("OK");
        var login = control.Uri.Replace("//", "//fleet:pa55w0rd@", StringComparison.Ordinal);

        await End(
            0,
            Own(Start("Consumer", ["--redis", Server.Uri, .. MemberOptions(login, "Consumer", 0, Pair)])),
            Own(Start("Producer", ["--redis", Server.Uri, .. MemberOptions(login, "Producer", 0, Pair), .. Short])));

        (await Merge(0, control)).Count.ShouldBe(2);
    }

    [Theory]
    [InlineData("Consumer", "producer=NUMBER,consumer=NUMBER is needed", "--expect", "producer=2")]
    [InlineData("Producer", "producer=NUMBER,consumer=NUMBER is needed", "--expect", "load=2")]
    [InlineData("Producer", "producer=NUMBER,consumer=NUMBER is needed", "--expect", "producer=9999,consumer=9999")]
    [InlineData("Consumer", "serves until the Producers have ended", "--expect", "2", "--duration", "5s")]
    [InlineData("Consumer", "--expect says how many they are", "--member", "1")]
    [InlineData("Producer", "members are counted from 0", "--expect", Two, "--member", "2")]
    [InlineData("Producer", "two servers are compared by one process", "--expect", "2", "--redis", "127.0.0.1:2")]
    public async Task WhatMembersCannotDo_IsRefused(string role, string reason, params string[] arguments)
    {
        var member = Own(Start(role, ["--redis", "127.0.0.1:1", .. arguments]));

        await End(2, member);

        member.Errors.ToString().ShouldContain(reason);
    }

    private async Task<string> RuleOf(string role, RedisServerProcess control, params string[] arguments)
    {
        var check = Own(ServiceProcess.Start(
            role,
            ["check", "--redis", Server.Uri, .. MemberOptions(control.Uri, role, 0, Pair), .. arguments]));
        (await check.End()).ShouldBe(0, check.ToString());
        return check.Output.Lines.Single(line => line.Contains("ACL SETUSER", StringComparison.Ordinal));
    }
}
