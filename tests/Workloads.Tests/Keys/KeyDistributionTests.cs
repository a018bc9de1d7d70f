using RedisLatency.Workloads.Keys;

namespace RedisLatency.Workloads.Tests.Keys;

public class KeyDistributionTests
{
    [Theory]
    [InlineData("uniform", "uniform")]
    [InlineData("zipfian", "zipfian:0.99")]
    [InlineData("zipfian:1.2", "zipfian:1.2")]
    [InlineData("zipfian:1", "zipfian:1")]
    [InlineData("scrambled", "scrambled:0.99")]
    [InlineData("ycsb", "ycsb")]
    [InlineData("latest:0.5", "latest:0.5")]
    [InlineData("newest", "newest:0.99")]
    [InlineData("newest:1.2", "newest:1.2")]
    [InlineData("hotspot", "hotspot:0.2,0.8")]
    [InlineData("hotspot:0.1", "hotspot:0.1,0.8")]
    [InlineData("exponential", "exponential:95,0.8571428571")]
    [InlineData("exponential:95,0.857", "exponential:95,0.857")]
    [InlineData("gaussian", "gaussian")]
    [InlineData("gaussian:5000", "gaussian:5000")]
    [InlineData("gaussian:5k,1e3", "gaussian:5000,1000")]
    [InlineData("sequential", "sequential")]
    [InlineData("partitioned", "partitioned")]
    public void Read_OfEveryForm_SaysItBackWithItsDefaults(string text, string canonical)
    {
        KeyDistribution.Problem(text).ShouldBeNull();
        KeyDistribution.Parse(text).ToString().ShouldBe(canonical);
        KeyDistribution.Parse(canonical).ToString().ShouldBe(canonical);
    }

    [Theory]
    [InlineData("", "a distribution is needed: uniform, zipfian, scrambled, ycsb, latest, newest, hotspot, ")]
    [InlineData("zipf", "a distribution is needed")]
    [InlineData("Uniform", "a distribution is needed")]
    [InlineData(" uniform", "a distribution is needed")]
    [InlineData("zipfian:", "'' is not a skew above 0 and at most 10")]
    [InlineData("zipfian:0", "'0' is not a skew above 0 and at most 10")]
    [InlineData("zipfian:-1", "'-1' is not a skew")]
    [InlineData("zipfian:NaN", "'NaN' is not a skew")]
    [InlineData("zipfian:Infinity", "'Infinity' is not a skew")]
    [InlineData("zipfian:1e400", "'1e400' is not a skew")]
    [InlineData("zipfian:0,99", "zipfian takes at most 1 number: a skew above 0 and at most 10")]
    [InlineData("zipfian:0.99:1", "'0.99:1' is not a skew")]
    [InlineData("uniform:1", "uniform takes no numbers")]
    [InlineData("latest:1", "'1' is not a skew above 0 and below 1")]
    [InlineData("ycsb:0.99", "ycsb takes no numbers")]
    [InlineData("hotspot:0.2,1.1", "'1.1' is not a share of the operations from 0 to 1")]
    [InlineData("hotspot:20,80", "'20' is not a share of the keys from 0 to 1")]
    [InlineData("hotspot:0.2,0.8,1", "hotspot takes at most 2 numbers")]
    [InlineData("exponential:100,0.5", "'100' is not a percentage of the operations above 0 and below 100")]
    [InlineData("exponential:95,0", "'0' is not a share of the keys above 0 and at most 1")]
    [InlineData("gaussian:-1", "'-1' is not the index of a key")]
    [InlineData("gaussian:1,0", "'0' is not a standard deviation in keys")]
    [InlineData("gaussian:,1", "'' is not the index of a key")]
    [InlineData("sequential:1", "sequential takes no numbers")]
    public void Problem_OfAHostileText_NamesWhatIsWanted(string text, string wanted)
    {
        KeyDistribution.Problem(text).ShouldNotBeNull().ShouldStartWith(wanted);
        Should.Throw<FormatException>(() => KeyDistribution.Parse(text)).Message.ShouldContain(wanted);
    }

    [Fact]
    public void Problem_WithKeysThatDoNotFit_SaysSo()
    {
        var keys = new KeySpace(100, 50);

        KeyDistribution.Parse("gaussian:99,5").Problem(keys).ShouldNotBeNull().ShouldContain("from 100 to 149");
        KeyDistribution.Parse("gaussian:150,5").Problem(keys).ShouldNotBeNull();
        KeyDistribution.Parse("gaussian:149,5").Problem(keys).ShouldBeNull();
        KeyDistribution.Parse("ycsb").Problem(new KeySpace(0, 1, 1_000_000))
            .ShouldNotBeNull().ShouldContain("scrambled");
        Should.Throw<ArgumentException>(() => KeyDistribution.Parse("gaussian:99,5").Create(keys, 0, 1));
    }

    [Fact]
    public void KeySpace_RefusesWhatCannotBeKeys()
    {
        Should.Throw<ArgumentOutOfRangeException>(() => new KeySpace(-1, 1));
        Should.Throw<ArgumentOutOfRangeException>(() => new KeySpace(0, 0));
        Should.Throw<ArgumentOutOfRangeException>(() => new KeySpace(1, KeySpace.HighestIndex + 1));
        Should.Throw<ArgumentOutOfRangeException>(() => new KeySpace(0, 10, KeySpace.HighestIndex));
        Should.Throw<ArgumentOutOfRangeException>(() => KeyDistribution.Uniform.Create(new KeySpace(0, 1), 2, 2));
        new KeySpace(0, KeySpace.HighestIndex + 1).Last.ShouldBe(KeySpace.HighestIndex);
    }
}
