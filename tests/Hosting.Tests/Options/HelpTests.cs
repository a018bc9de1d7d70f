namespace RedisLatency.Hosting.Tests.Options;

public sealed class HelpTests
{
    private readonly SampleProgram _program = new();

    [Fact]
    public async Task Help_OfTheProgram_IsAsRecorded()
    {
        (await _program.Run("--help")).ShouldBe(0);

        _program.Errors.ShouldBeEmpty();
        Lines(_program.Output).ShouldBe(Recorded("producer"));
    }

    [Fact]
    public async Task Help_OfAVerb_IsAsRecorded()
    {
        (await _program.Run("show", "--help")).ShouldBe(0);

        Lines(_program.Output).ShouldBe(Recorded("show"));
    }

    [Theory]
    [InlineData("--help")]
    [InlineData("show --help")]
    [InlineData("check -h")]
    public async Task Help_FitsInto80Columns(string line)
    {
        await _program.Run(line.Split(' '));

        Lines(_program.Output).ShouldAllBe(text => text.Length <= 80);
        Lines(_program.Output).ShouldAllBe(text => text == text.TrimEnd());
    }

    [Fact]
    public async Task Help_WinsOverMistakes()
    {
        _program.Environment["REDISLATENCY__Producer__Rate"] = "fast";

        (await _program.Run("--rte", "5", "--help")).ShouldBe(0);

        _program.Errors.ShouldBeEmpty();
    }

    private static string[] Lines(string text) => text.ReplaceLineEndings("\n").Split('\n');

    // Help.producer.txt and Help.show.txt lie beside this file.
    private static string[] Recorded(string name)
    {
        using var stream = typeof(HelpTests).Assembly.GetManifestResourceStream($"Help.{name}.txt")!;
        using var reader = new StreamReader(stream);
        return Lines(reader.ReadToEnd());
    }
}
