using RedisLatency.Workloads.Options;

namespace RedisLatency.Workloads.Tests.Options;

public class PhaseCatalogueTests
{
    [Theory]
    [InlineData("workload", "g", "one of a, b, c, d, e, f is needed")]
    [InlineData("mix", "get=1,get=2", "get is there twice")]
    [InlineData("mix", "get=0", "one weight must be above 0")]
    [InlineData("mix", "get=-1", "a weight is a number from 0 to 1,000,000")]
    [InlineData("mix", "mget:0=1", "whole number from 1")]
    [InlineData("command", "SET __kye__ 1=1", "'__kye__' is no placeholder")]
    [InlineData("command", "SET 'a=1", "is not closed")]
    [InlineData("records", "0", "at least 1 record")]
    [InlineData("total-size", "8GB", "the unit is not known")]
    [InlineData("duration", "5", "a duration needs a unit")]
    [InlineData("warmup", "soon", "a duration is needed")]
    [InlineData("keys", "zipf", "a distribution is needed")]
    [InlineData("key-form", "user", "a key form is needed")]
    [InlineData("value-size", "-1", "")]
    [InlineData("value", "noise", "a content is needed")]
    [InlineData("connections", "0", "at least 1 connection")]
    [InlineData("pipeline", "0", "at least 1 operation")]
    [InlineData("rate", "-1", "at least 0")]
    [InlineData("rate", "1e-30", "at least 0.000001")]
    [InlineData("rate", "1k..2k", "how long it lasts is needed")]
    [InlineData("rate", "1k,2k", "how long it lasts is needed")]
    [InlineData("rate", "1k:10s,0", "the last rate must be above 0")]
    [InlineData("arrival", "sometimes", "one of uniform, poisson, burst, burst:COUNT is needed")]
    [InlineData("arrival", "burst:0", "at least 1 operation")]
    [InlineData("on-error", "ignore", "one of count, stop, retry is needed")]
    [InlineData("seed", "-1", "at least 0")]
    [InlineData("command-timeout", "30", "a duration needs a unit")]
    public void Option_ThatCannotBe_IsRefusedWithItsReason(string name, string text, string reason)
    {
        var problem = Problems((name, text)).ShouldHaveSingleItem();

        problem.ShouldStartWith($"{name}: {text}: ");
        problem.ShouldContain(reason);
    }

    [Theory]
    [InlineData("workload=a mix=get", "use only one of them")]
    [InlineData("records=5 total-size=8GiB", "use only one of them")]
    [InlineData("clients=5 connections=5", "use only one of them")]
    [InlineData("clients=5 threads=2", "5 connections cannot be shared evenly by 2 threads")]
    [InlineData("expiry=1h verify=true", "would count as a fault of the server")]
    [InlineData("rate=5 pipeline=2", "use --max-in-flight")]
    [InlineData("max-in-flight=5", "without --rate, use --pipeline")]
    [InlineData("arrival=poisson", "it needs --rate")]
    [InlineData("verify=true value=random", "random values cannot be told apart")]
    [InlineData("mix=get=1.5 mix-order=cyclic", "need whole weights")]
    public void Options_ThatContradictEachOther_AreRefused(string options, string reason)
    {
        var given = options.Split(' ').Select(option => option.Split('=', 2)).Select(part => (part[0], part[1]));

        Problems([.. given]).ShouldHaveSingleItem().ShouldContain(reason);
    }

    [Theory]
    [InlineData("rate", "50000", "50000")]
    [InlineData("rate", "10k:30s,20k:30s,40k", "10000:30s,20000:30s,40000")]
    [InlineData("rate", "1k..50k:2m", "1000..50000:2m")]
    [InlineData("arrival", "burst:100", "burst:100")]
    [InlineData("mix", "get=9,set", "get=9,set=1")]
    [InlineData("command", "SET __key__ a=b", "SET __key__ a=b=1")]
    [InlineData("command", "SET __key__ __data__=0.5", "SET __key__ __data__=0.5")]
    public void Option_WrittenAgain_SaysTheSame(string name, string text, string written)
    {
        var catalogue = PhaseCatalogue.ForScenario(isLoad: false);
        var options = new PhaseOptions();
        catalogue.Set(options, new Dictionary<string, IReadOnlyList<string>> { [name] = [text] })
            .Where(problem => problem.Names.Count == 1).ShouldBeEmpty();

        var again = new PhaseOptions();
        catalogue.Set(again, new Dictionary<string, IReadOnlyList<string>> { [name] = [written] })
            .Where(problem => problem.Names.Count == 1).ShouldBeEmpty();
        again.Rate.ShouldBe(options.Rate);
        again.Arrival.ShouldBe(options.Arrival);
        again.Mix.ShouldBe(options.Mix);
        again.Commands.ShouldBe(options.Commands);
    }

    private static List<string> Problems(params (string Name, string Text)[] given) =>
    [
        .. PhaseCatalogue.ForScenario(isLoad: false)
            .Set(new PhaseOptions(), given.ToDictionary(
                option => option.Name, option => (IReadOnlyList<string>)[option.Text]))
            .Select(problem => $"{string.Join(", ", problem.Names)}: {problem.Problem}"),
    ];
}
