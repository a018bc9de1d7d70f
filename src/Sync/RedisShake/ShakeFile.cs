using System.Globalization;
using System.Text.RegularExpressions;
using RedisLatency.Hosting.Options;
using RedisLatency.Reports.Values;
using Tomlyn;
using Tomlyn.Model;
using Tomlyn.Parsing;
using Tomlyn.Serialization;

namespace RedisLatency.Sync.RedisShake;

/// <summary>RedisShake's file of settings, read as options of this program.</summary>
internal sealed partial class ShakeFile
{
    private const string Suffix = ".toml";

    // As the options of a file's tls_config follow one another.
    private static readonly string[] CertificateKeys = ["TlsCa", "TlsCert", "TlsKey"];

    private readonly Dictionary<string, Dictionary<string, ShakeValue>> _sections = [];
    private readonly List<ForeignSetting> _settings = [];
    private readonly List<(int Line, string Text)> _problems = [];
    private readonly List<(int Line, string Text)> _notes = [];
    private readonly List<(int Line, string Text)> _unknown = [];
    private readonly IReadOnlyDictionary<string, string> _environment;
    private readonly TomlMetadataStore _metadata = new();
    private readonly string[] _lines;

    private ShakeFile(string text, IReadOnlyDictionary<string, string> environment)
    {
        _environment = environment;
        text = BareVariable().Replace(text, match => match.Groups["before"].Value + ValueOf(match));
        _lines = text.Split('\n');
        try
        {
            // The model takes the last of what is there twice.
            SyntaxParser.ParseStrict(text);
            var model = new ShakeModel(new() { MetadataStore = _metadata });
            ReadSection(string.Empty, TomlSerializer.Deserialize(text, model.TomlTable) ?? []);
            if (_problems.Count == 0)
                Translate();
            // It may be what is missing elsewhere.
            if (_problems.Count > 0)
                _problems.AddRange(_unknown);
            else
                _notes.AddRange(_unknown.Select(one => (one.Line, $"{one.Text}; it is left out, as by RedisShake.")));
        }
        catch (TomlException failure)
        {
            // The parser quotes what it cannot read, which may be a password.
            _problems.AddRange(failure.Diagnostics.Select(error => (error.Span.Start.Line + 1,
                error.Message.Contains("already defined", StringComparison.Ordinal) ? "this is there twice"
                : "not valid TOML")).DefaultIfEmpty((1, "not valid TOML")));
        }
    }

    /// <summary>How <c>--config</c> reads it.</summary>
    public static ForeignSettings Form { get; } = new(Suffix, (text, environment) =>
    {
        var file = new ShakeFile(text, environment);
        return new ForeignContent(file._settings, InOrder(file._problems), InOrder(file._notes));
    });

    private string? Reader => ShakeOptions.Readers.FirstOrDefault(_sections.ContainsKey);

    /// <summary>
    /// The words <c>sync FILE.toml</c>, or another way to read a source, as the verb that the file asks for, with the
    /// file as <c>--config</c>. What is wrong with the file is told when that is read.
    /// </summary>
    public static IReadOnlyList<string> WithVerb(IReadOnlyList<string> arguments)
    {
        if (arguments is not [("sync" or "scan" or "rdb" or "aof") and var verb, var name, ..]
            || !name.EndsWith(Suffix, StringComparison.Ordinal) || name.StartsWith('-'))
        {
            return arguments;
        }

        string[] words = [verb];
        try
        {
            var variables = Environment.GetEnvironmentVariables().Cast<System.Collections.DictionaryEntry>()
                .ToDictionary(pair => (string)pair.Key, pair => (string?)pair.Value ?? string.Empty);
            var file = new ShakeFile(System.Text.Encoding.UTF8.GetString(SmallFile.Read(name)), variables);
            words = file.Reader switch
            {
                "sync_reader" => ["sync"],
                "scan_reader" => ["scan"],
                "rdb_reader" => ["rdb", file.Text("rdb_reader", "filepath")],
                "aof_reader" => ["aof", file.Text("aof_reader", "filepath")],
                _ => words,
            };
        }
        catch (Exception failure) when (failure is IOException or UnauthorizedAccessException)
        {
            // It is told by whoever reads it next.
        }

        return [.. words, .. arguments.Skip(2), SettingsFile.Option, name];
    }

    private static List<string> InOrder(List<(int Line, string Text)> texts) =>
        [.. texts.OrderBy(one => one.Line).Select(one => $"line {one.Line}: {one.Text}").Distinct()];

    // The whole file is the section without a name.
    private void ReadSection(string name, TomlTable section)
    {
        var prefix = name.Length == 0 ? name : $"{name}.";
        var known = ShakeOptions.Sections.GetValueOrDefault(name, []);
        if (name.Length > 0)
            _sections.TryAdd(name, []);
        foreach (var (key, value) in section)
        {
            var line = LineOf(section, key);
            var path = prefix + key;
            if (value is TomlTable inner && ShakeOptions.Sections.ContainsKey(path))
                ReadSection(path.ToLowerInvariant(), inner);
            else if (known.FirstOrDefault(
                one => one.Name.Equals(key, StringComparison.OrdinalIgnoreCase)) is { } option)
                ReadOption(name, new ShakeValue(option, line, TextsOf(option.Kind, value)));
            else if (value is TomlTable)
                _unknown.Add((line, $"[{Shown(prefix, key, line)}]: there is no such section"
                    + NearestName.Question(path, ShakeOptions.Sections.Keys)));
            else if (name.Length == 0)
                _problems.Add((line, Shown(prefix, key, line) + (value is TomlTableArray
                    ? " has two brackets, where a section has one"
                    : " stands before the first section")));
            else
                _unknown.Add((line, $"[{name}] {Shown(string.Empty, key, line)}: there is no such option"
                    + NearestName.Question(key, known.Select(other => other.Name))));
        }
    }

    private void ReadOption(string section, ShakeValue value)
    {
        var option = value.Option;
        if (!_sections[section].TryAdd(option.Name, value))
            _problems.Add((value.Line, "this is there twice"));
        else if (value.Texts is not { } texts)
            _problems.Add((value.Line, $"[{section}] {option.Name}: {Needed(option.Kind)} is needed"));
        else if (option.Only is { } only && texts is [var given, ..] && given != only)
            _problems.Add((value.Line, $"[{section}] {option.Name} can only be {only} here: {option.Reason}"));
        else if (option.Usual is { } usual && texts is [var said, ..] && said != usual)
            _notes.Add((value.Line, $"{option.Name} has no effect here: {option.Reason}."));
    }

    // As RedisShake takes it (mapstructure with weak types): a number where a text is meant, a text where a list is.
    private List<string>? TextsOf(ShakeKind kind, object? value) => (kind, value) switch
    {
        (ShakeKind.Text, string text) => [Variable().Replace(text, ValueOf)],
        (ShakeKind.Text or ShakeKind.Number, long number) => [number.ToString(CultureInfo.InvariantCulture)],
        (ShakeKind.Text or ShakeKind.Number, bool flag) => [flag ? "1" : "0"],
        (ShakeKind.Text, double number) => [number.ToString(CultureInfo.InvariantCulture)],
        (ShakeKind.Number, string text) when long.TryParse(text, CultureInfo.InvariantCulture, out _) => [text],
        (ShakeKind.Flag or ShakeKind.Not, bool flag) => [flag != (kind == ShakeKind.Not) ? "true" : "false"],
        (ShakeKind.Flag or ShakeKind.Not, long number) => TextsOf(kind, number != 0),
        (ShakeKind.Flag or ShakeKind.Not, "1" or "t" or "T" or "TRUE" or "true" or "True") => TextsOf(kind, true),
        (ShakeKind.Flag or ShakeKind.Not, "0" or "f" or "F" or "FALSE" or "false" or "False" or "") =>
            TextsOf(kind, false),
        (ShakeKind.Texts, TomlArray array) => All(array, ShakeKind.Text),
        (ShakeKind.Numbers, TomlArray array) => All(array, ShakeKind.Number),
        (ShakeKind.Texts or ShakeKind.Numbers, "") => [],
        (ShakeKind.Texts, string text) => All(text.Split(','), ShakeKind.Text),
        (ShakeKind.Numbers, string text) => All(text.Split(','), ShakeKind.Number),
        (ShakeKind.Numbers, long number) => TextsOf(ShakeKind.Number, number),
        _ => null,
    };

    private List<string>? All(IEnumerable<object?> items, ShakeKind kind)
    {
        var each = items.Select(item => TextsOf(kind, item)?[0]).ToList();
        return each.Contains(null) ? null : [.. each.OfType<string>()];
    }

    // A name that is not set stays as it is.
    private string ValueOf(Match match) => _environment.GetValueOrDefault(match.Groups["name"].Value) ?? (
        match.Groups["before"] is { Success: true } before ? match.Value[before.Length..] : match.Value);

    private void Translate()
    {
        var reader = OneOf(ShakeOptions.Readers, "reader");
        var writer = OneOf(ShakeOptions.Writers, "writer");
        foreach (var (name, values) in _sections)
        {
            foreach (var value in values.Values.Where(value => value.Option.Key is not null))
                Set(name, value);
        }

        foreach (var section in new[] { reader, writer }.OfType<string>())
        {
            if (ShakeOptions.Sections[section].Any(one => one.Name == "filepath")
                && Text(section, "filepath").Length == 0)
            {
                _problems.Add((LineOf(section), $"[{section}] filepath is missing"));
            }
        }

        // There it is not asked for unless the file says so.
        if (reader == "sync_reader" && !_sections[reader].ContainsKey("try_diskless"))
            _settings.Add(new ForeignSetting("Sync:NoDiskless", "true", $"{reader}.try_diskless", LineOf(reader)));
        // RedisShake writes nothing but data to the target, and its users compare DBSIZE.
        if (reader == "sync_reader" && writer == "redis_writer")
            _settings.Add(new ForeignSetting("Sync:Checkpoint", "none", writer, LineOf(writer)));
        if (reader is "sync_reader" or "scan_reader")
            SetEndpoint(reader, "Sync:Source");
        if (writer == "redis_writer")
            SetEndpoint(writer, "Sync:Destination");
        else if (writer == "file_writer" && !_sections[writer].ContainsKey("type"))
            _settings.Add(new ForeignSetting("Sync:FileFormat", "cmd", $"{writer}.type", LineOf(writer)));
        SetCertificates([.. new[] { reader, writer }.OfType<string>()]);
    }

    private string? OneOf(string[] names, string what)
    {
        var present = names.Where(_sections.ContainsKey).ToList();
        if (present.Count != 1)
        {
            _problems.Add((present.Count == 0 ? 1 : LineOf(present[1]), present.Count == 0
                ? $"a {what} is needed: [{string.Join("], [", names)}]"
                : $"only one {what} can be used, and there are [{string.Join("] and [", present)}]"));
        }

        return present.Count == 1 ? present[0] : null;
    }

    private void Set(string section, ShakeValue value)
    {
        var option = value.Option;
        IReadOnlyList<string> texts = value.Texts ?? [];
        if (option.Separator is { } separator)
            texts = texts[0].Split(separator, StringSplitOptions.RemoveEmptyEntries | StringSplitOptions.TrimEntries);
        var isList = option.Separator is not null || option.Kind is ShakeKind.Texts or ShakeKind.Numbers;
        for (var i = 0; i < texts.Count; i++)
        {
            if (texts[i] == option.Unset || (long.TryParse(texts[i], out var number) && number >= option.Most))
                continue;
            var key = isList ? $"{option.Key}:{i}" : option.Key ?? string.Empty;
            var text = string.Format(CultureInfo.InvariantCulture, option.Form, texts[i]);
            _settings.Add(new ForeignSetting(key, text, $"{section}.{option.Name}", value.Line));
        }
    }

    private void SetEndpoint(string section, string key)
    {
        var sentinel = _sections.ContainsKey($"{section}.sentinel") ? $"{section}.sentinel" : null;
        var hasService = Text(section, "sentinel") == "true";
        var address = Text(sentinel ?? section, "address");
        if (address.Length == 0)
        {
            _problems.Add((LineOf(section), $"[{sentinel ?? section}] address is missing"));
            return;
        }

        var service = sentinel is null ? Text(section, "master") : Text(sentinel, "master_name");
        var scheme = Text(section, "tls") == "true" ? "rediss" : "redis";
        var isSentinel = sentinel is not null || hasService;
        var isCluster = Text(section, "cluster") == "true";
        if (isSentinel && isCluster)
            _problems.Add((LineOf(section), $"[{section}] is a cluster or has Sentinels, not both"));
        var kind = isSentinel ? "+sentinel" : isCluster ? "+cluster" : string.Empty;
        var path = isSentinel ? $"/{Uri.EscapeDataString(service)}" : string.Empty;
        var own = sentinel is null ? string.Empty : Query(sentinel);
        _settings.Add(new ForeignSetting(
            key, $"{scheme}{kind}://{Login(section)}{address}{path}{own}", $"{section}.address", LineOf(section)));
    }

    private string Login(string section)
    {
        var (user, password) = (Text(section, "username"), Text(section, "password"));
        return (user.Length, password.Length) switch
        {
            (0, 0) => string.Empty,
            (_, 0) => $"{Uri.EscapeDataString(user)}@",
            _ => $"{Uri.EscapeDataString(user)}:{Uri.EscapeDataString(password)}@",
        };
    }

    private string Query(string sentinel)
    {
        var parts = new[] { ("sentinel-user", "username"), ("sentinel-password", "password") }
            .Where(part => Text(sentinel, part.Item2).Length > 0)
            .Select(part => $"{part.Item1}={Uri.EscapeDataString(Text(sentinel, part.Item2))}").ToList();
        return parts.Count == 0 ? string.Empty : $"?{string.Join('&', parts)}";
    }

    private void SetCertificates(string[] sections)
    {
        string[]? first = null;
        foreach (var section in sections.Where(section => Text(section, "tls") == "true"))
        {
            string[] files = [.. ShakeOptions.Certificates.Select(one => Text($"{section}.tls_config", one.Name))];
            if (files[0].Length == 0)
            {
                _notes.Add((LineOf(section), $"[{section}] tls: certificates are checked by the authorities of this "
                    + "system, which RedisShake does not; --tls-insecure accepts any, as there."));
            }

            // What only the first has would be for both.
            if (first is not null && first.Any(file => file.Length > 0) && files.All(file => file.Length == 0))
                _problems.Add((LineOf(section), $"[{section}] has tls, and needs a tls_config, as the other side"));
            var prefix = first is null ? "Redis:" : "Redis:Other";
            foreach (var (key, file) in CertificateKeys.Zip(files))
            {
                if (file.Length > 0 && first?.SequenceEqual(files) != true)
                    _settings.Add(new ForeignSetting(prefix + key, file, $"{section}.tls_config", LineOf(section)));
            }

            first = files;
        }
    }

    private string Text(string section, string option) =>
        _sections.GetValueOrDefault(section)?.GetValueOrDefault(option)?.Texts is [var text, ..] ? text : string.Empty;

    private int LineOf(string section) =>
        _sections[section].Values.Select(value => value.Line).DefaultIfEmpty(1).Min();

    private int LineOf(TomlTable section, string key) =>
        _metadata.TryGetProperties(section, out var keys) && keys?.TryGetProperty(key, out var one) == true
            ? one.Span.Start.Line + 1
            : 1;

    // What is in quotes, or behind a point, may be a password that has its sign of equality elsewhere.
    private string Shown(string prefix, string key, int line) =>
        prefix + (_lines[line - 1].TrimStart(' ', '\t', '[').StartsWith(prefix + key, StringComparison.Ordinal)
            ? key
            : "***");

    private static string Needed(ShakeKind kind) => kind switch
    {
        ShakeKind.Text => "a text in quotes",
        ShakeKind.Number => "a whole number",
        ShakeKind.Texts => "a list of texts",
        ShakeKind.Numbers => "a list of whole numbers",
        _ => "true or false",
    };

    [GeneratedRegex(@"\$\{(?<name>[A-Za-z_][A-Za-z0-9_]*)\}", RegexOptions.CultureInvariant)]
    private static partial Regex Variable();

    // One that is the whole of a value: in quotes it is put in after they were read.
    [GeneratedRegex(
        @"(?<before>^[^#""'\n]*[=\[,][ \t]*)\$\{(?<name>[A-Za-z_][A-Za-z0-9_]*)\}",
        RegexOptions.CultureInvariant | RegexOptions.Multiline)]
    private static partial Regex BareVariable();
}

/// <summary>A value of the file; no texts where it is of another kind than the option.</summary>
internal sealed record ShakeValue(ShakeOption Option, int Line, IReadOnlyList<string>? Texts);

[TomlSerializable(typeof(TomlTable))]
internal sealed partial class ShakeModel : TomlSerializerContext
{
    public ShakeModel(TomlSerializerOptions options)
        : base(options)
    {
    }
}
