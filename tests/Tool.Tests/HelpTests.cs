using System.Text.RegularExpressions;
using RedisLatency.Hosting.Options;

namespace RedisLatency.Tool.Tests;

/// <summary>What <c>-h</c> prints of every word of the program.</summary>
public sealed partial class HelpTests
{
    private const int Screen = 45;
    private const string Typed = "redis-latency";

    // -h of another tool's command line is that tool's.
    public static TheoryData<string> Commands => [.. Below(ToolProgram.Create(), string.Empty)
        .Where(word => word.Command is not ForeignCommand).Select(word => word.Words)];

    [Theory]
    [MemberData(nameof(Commands))]
    public async Task Help_ThatIsShort_IsOneScreen(string words)
    {
        var output = await Run([.. words.Split(' ', StringSplitOptions.RemoveEmptyEntries), "-h"]);

        var lines = output.TrimEnd('\n').Split('\n');
        lines.Length.ShouldBeInRange(3, Screen, output);
        // But for examples, which can be pasted.
        lines.Where(line => !line.StartsWith($"  {Typed} ", StringComparison.Ordinal)).ShouldAllBe(line => line.Length <= 80);
        lines.Count(line => line.StartsWith("  # ", StringComparison.Ordinal)).ShouldBeLessThanOrEqualTo(3);
    }

    public static TheoryData<string> Gates => [.. Below(ToolProgram.Create(), string.Empty)
        .Where(word => word.Command.Options.Any(option => option.Name == "--threshold")).Select(word => word.Words)];

    [Theory]
    [MemberData(nameof(Gates))]
    public async Task Thresholds_OfTheHelpAndOfARefusal_AreThoseOfTheCommand(string words)
    {
        string[] command = words.Split(' ');
        var help = (await Run([.. command, "--help"])).ReplaceLineEndings(" ");
        var refusal = await Refusal([.. command, "--threshold", "x"]);
        var shown = Example().Matches(help[help.IndexOf("--threshold EXPRESSION", StringComparison.Ordinal)..])
            .Take(2).Select(one => one.Groups[1].Value).ToArray();

        shown.Length.ShouldBe(2);
        Example().Matches(refusal).Select(one => one.Groups[1].Value).ShouldBe(shown);
        // Nothing is run, as there is no such option.
        var accepted = await Refusal([.. command, .. shown.SelectMany(one => new[] { "--threshold", one }), "--x-y-z"]);
        accepted.ShouldContain("--x-y-z");
        accepted.ShouldNotContain("there is no metric");
    }

    [GeneratedRegex(@"'([^' ]+[<>=][^' ]+)'")]
    private static partial Regex Example();

    [Fact]
    public void Options_ThatMatterMost_AreThere() =>
        Below(ToolProgram.Create(), string.Empty).ShouldAllBe(word =>
            word.Command.Common.All(name => word.Command.Options.Any(option => option.Name == name)));

    [Fact]
    public void Texts_OfAnOption_NameOnlyOptionsThatAreThere()
    {
        foreach (var (words, command) in Below(ToolProgram.Create(), string.Empty))
        {
            var names = command.Options.SelectMany(option => option.Names).ToList();
            foreach (var option in command.Options)
            {
                option.Help.ShouldNotBeEmpty($"{words} {option.Name}");
                OptionName().Matches($"{option.Help} {option.Default}").Select(name => name.Value)
                    .ShouldBeSubsetOf(names, $"{words} {option.Name}");
            }
        }
    }

    [GeneratedRegex("--[a-z][a-z0-9-]*")]
    private static partial Regex OptionName();

    [Theory]
    [InlineData("consumer")]
    [InlineData("mesh")]
    public async Task Help_WhereThereIsOneServer_HasNothingOfAnother(string word) =>
        (await Run([word, "--help"])).ShouldNotContain("--other-");

    private static IEnumerable<(string Words, ServiceCommand Command)> Below(ServiceCommand command, string words) =>
        command.Verbs.SelectMany(verb => Below(verb, $"{words} {verb.Name}".Trim())).Prepend((words, command));

    // A service is a program of its own, as the tool starts it.
    private static async Task<string> Run(string[] words)
    {
        var (code, output, error) = await End(words);
        code.ShouldBe(0, error);
        return output;
    }

    private static async Task<string> Refusal(string[] words)
    {
        var (code, _, error) = await End(words);
        code.ShouldBe(2, error);
        return error;
    }

    private static async Task<(int Code, string Output, string Error)> End(string[] words)
    {
        using var output = new StringWriter { NewLine = "\n" };
        using var error = new StringWriter();
        var tool = ToolProgram.Create();
        var service = tool.Verbs.FirstOrDefault(verb => verb.IsProgram && verb.Name == words[0]);
        var surroundings = new CommandSurroundings
        {
            Output = output,
            Error = error,
            Program = service is null ? Typed : $"{Typed} {service.Name}",
        };
        var code = await new CommandLineProgram(service ?? tool).RunAsync(
            service is null ? words : words[1..], surroundings, TestContext.Current.CancellationToken);
        return (code, output.ToString(), error.ToString());
    }
}
