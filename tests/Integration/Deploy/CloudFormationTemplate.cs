using System.Globalization;
using System.Text;
using System.Text.Json;
using System.Text.Json.Nodes;
using System.Text.RegularExpressions;
using RedisLatency.Fixtures;
using YamlDotNet.RepresentationModel;

namespace RedisLatency.Integration.Deploy;

/// <summary>A template of <c>deploy/aws</c> with the parameters of a stack, as CloudFormation works it out.</summary>
internal sealed partial class CloudFormationTemplate
{
    private readonly YamlMappingNode _root;
    private readonly Dictionary<string, string> _values;

    /// <param name="text">The template.</param>
    /// <param name="parameters">What the stack gives it.</param>
    public CloudFormationTemplate(string text, IReadOnlyDictionary<string, string> parameters)
    {
        var stream = new YamlStream();
        stream.Load(new StringReader(text));
        _root = (YamlMappingNode)stream.Documents.ShouldHaveSingleItem().RootNode;
        Parameters = [.. ((YamlMappingNode)_root[nameof(Parameters)]).Children.Select(one => one.Key.ToString())];
        // What CloudFormation knows by itself, of a stack that there might be.
        _values = new Dictionary<string, string>
        {
            ["AWS::Region"] = "eu-west-1",
            ["AWS::Partition"] = "aws",
            ["AWS::AccountId"] = "123456789012",
            ["AWS::NoValue"] = string.Empty,
        };
        foreach (var (name, parameter) in ((YamlMappingNode)_root[nameof(Parameters)]).Children)
        {
            if (((YamlMappingNode)parameter).Children.TryGetValue("Default", out var usual))
                _values[name.ToString()] = usual.ToString();
        }

        foreach (var (name, value) in parameters)
            _values[name] = value;
    }

    public static string Folder { get; } = RepositoryRoot.Combine("deploy", "aws");

    public static string Text { get; } = File.ReadAllText(Path.Combine(Folder, "machine.yaml"));

    /// <summary>The names of its parameters.</summary>
    public IReadOnlyList<string> Parameters { get; }

    /// <summary>The sample of a stack's parameters, as <c>aws cloudformation deploy</c> reads it.</summary>
    public static IReadOnlyDictionary<string, string> Sample(string role) =>
        JsonNode.Parse(File.ReadAllText(SamplePath(role)))![nameof(Parameters)]
            .Deserialize<Dictionary<string, string>>()!;

    /// <summary>Has Amazon's validator judge templates, all in one process: it takes seconds to start.</summary>
    /// <returns>What is wrong with each.</returns>
    public static async Task<IReadOnlyList<IReadOnlyList<string>>> Validate(IEnumerable<string> files)
    {
        ServerRequirement.Require("node");
        var folder = RepositoryRoot.Combine("tests", "clouds");
        ServerRequirement.RequireFile(
            Path.Combine(folder, "node_modules", "@aws", "cloudformation-validate", "index.js"),
            "npm ci --prefix tests/clouds, or run ./test");
        await using var node = ServiceProcess.StartScript(
            "node", [Path.Combine(folder, "validate.js"), SamplePath("consumer"), .. files]);
        (await node.End()).ShouldBe(0, node.ToString());
        return [.. node.Output.ToString().Split('\n').Select(line => JsonSerializer.Deserialize<string[]>(line)!)];
    }

    /// <summary>A property of a resource, by the names that lead to it from <c>Resources</c> on.</summary>
    public YamlNode Property(params string[] path) => path.Aggregate(_root["Resources"], (node, name) => node[name]);

    /// <summary>Works out a text, by those of CloudFormation's functions that the template has.</summary>
    public string Resolve(YamlNode node)
    {
        var (function, argument) = Function(node);
        return function switch
        {
            null => node.ShouldBeOfType<YamlScalarNode>().Value ?? string.Empty,
            "Ref" => Value(argument.ToString()),
            "If" => Resolve(IsMet(_root["Conditions"][argument[0]]) ? argument[1] : argument[2]),
            "Join" => string.Join(argument[0].ToString(), ((YamlSequenceNode)argument[1]).Select(Resolve)),
            "Base64" => Convert.ToBase64String(Encoding.UTF8.GetBytes(Resolve(argument))),
            "Sub" when argument is YamlSequenceNode => Substitute(
                argument[0].ToString(),
                ((YamlMappingNode)argument[1]).ToDictionary(one => one.Key.ToString(), one => Resolve(one.Value))),
            "Sub" => Substitute(argument.ToString(), new Dictionary<string, string>()),
            _ => throw new NotSupportedException(function),
        };
    }

    private static string SamplePath(string role) => Path.Combine(Folder, $"{role}.json");

    // !Ref X, or Fn::Ref: X.
    private static (string? Name, YamlNode Argument) Function(YamlNode node)
    {
        if (!node.Tag.IsEmpty && node.Tag.Value is ['!', not '!', ..] tag)
            return (tag[1..], node);
        return node is YamlMappingNode { Children.Count: 1 } map
            && map.Children.Single() is { Key: YamlScalarNode { Value: ['F', 'n', ':', ':', .. var name] } } one
            ? (name, one.Value)
            : (null, node);
    }

    private bool IsMet(YamlNode condition)
    {
        var (function, argument) = Function(condition);
        return function switch
        {
            "Equals" => Resolve(argument[0]) == Resolve(argument[1]),
            "Not" => !IsMet(argument[0]),
            _ => throw new NotSupportedException(function),
        };
    }

    private string Substitute(string text, Dictionary<string, string> values) => Name().Replace(
        text, match => values.GetValueOrDefault(match.Groups[1].Value) ?? Value(match.Groups[1].Value));

    private string Value(string name) => _values.TryGetValue(name, out var value)
        ? value
        : throw new KeyNotFoundException(string.Create(CultureInfo.InvariantCulture, $"{name} has no value"));

    [GeneratedRegex(@"\$\{([\w:]+)\}")]
    private static partial Regex Name();
}
