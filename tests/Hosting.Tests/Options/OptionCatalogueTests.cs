using RedisLatency.Hosting.Options;
using RedisLatency.Reports.Values;

namespace RedisLatency.Hosting.Tests.Options;

public sealed class OptionCatalogueTests
{
    [Fact]
    public void Add_DerivesEveryNameFromTheOption()
    {
        var option = new OptionCatalogue<SampleOptions>("Producer")
            .Add("--payload-size", o => o.PayloadSize, Syntax.Range(Syntax.Size(0, 1 << 20)), "Bytes in a message")
            .Options.Single().Description;

        option.ConfigurationKey.ShouldBe("Producer:PayloadSize");
        option.EnvironmentName.ShouldBe("REDISLATENCY__Producer__PayloadSize");
        option.Default.ShouldBe("64B");
        option.Limits.ShouldBe("at most 1MiB");
    }

    [Fact]
    public void Add_OfANameThatIsThere_IsRefused()
    {
        var catalogue = new OptionCatalogue<SampleOptions>("Producer")
            .Add("--rate", o => o.Rate, Syntax.Number(0, 1), "");

        Should.Throw<ArgumentException>(() => catalogue.Add("--rate", o => o.Rate, Syntax.Number(0, 1), ""))
            .Message.ShouldStartWith("--rate is declared twice");
    }

    [Fact]
    public void Add_OfSomethingElseThanAProperty_IsRefused()
    {
        Should.Throw<ArgumentException>(() => new OptionCatalogue<SampleOptions>("Producer")
            .Add("--rate", o => o.Rate + 1, Syntax.Number(0, 1), ""));
    }

    [Fact]
    public void Only_KeepsNoRuleOverOptionsThatAreLeftOut()
    {
        var catalogue = new OptionCatalogue<SampleOptions>("Producer")
            .Add("--rate", o => o.Rate, Syntax.Number(0, 1), "")
            .Add("--busy-poll", o => o.BusyPoll, Syntax.Flag, "")
            .Rule(["--rate", "--busy-poll"], _ => "never")
            .Rule(["--rate"], _ => "always")
            .Only("--rate");

        catalogue.Options.Select(option => option.Description.Name).ShouldBe(["--rate"]);
        catalogue.Rules.Count.ShouldBe(1);
    }

    [Fact]
    public void Except_LeavesOutWhatIsNamed()
    {
        var catalogue = new OptionCatalogue<SampleOptions>("Producer")
            .Add("--rate", o => o.Rate, Syntax.Number(0, 1), "")
            .Add("--busy-poll", o => o.BusyPoll, Syntax.Flag, "")
            .Except("--rate");

        catalogue.Options.Select(option => option.Description.Name).ShouldBe(["--busy-poll"]);
    }

    [Theory]
    [InlineData("How fast; with --busy-poll faster; 0 stops", "1; 2 with --busy-poll", "How fast; 0 stops", "1")]
    [InlineData("As --rate or -r", "as --rate-limit says", "As --rate or -r", null)]
    public void Offered_SaysNothingOfOptionsThatAreNotThere(string help, string shown, string offered, string? then)
    {
        var whole = new OptionCatalogue<SampleOptions>("Producer")
            .Add("--rate -r", o => o.Rate, Syntax.Number(0, 1), help, shownDefault: shown)
            .Add("--busy-poll", o => o.BusyPoll, Syntax.Flag, "")
            .Add("--rate-limit", o => o.Secret, Syntax.Text("WORD", _ => null), "");

        Text(whole).ShouldBe((help, shown));
        Text(whole.Only("--rate")).ShouldBe((offered, then));

        static (string, string?) Text(OptionCatalogue<SampleOptions> catalogue) =>
            (catalogue.Offered()[0].Description.Help, catalogue.Offered()[0].Description.Default);
    }
}
